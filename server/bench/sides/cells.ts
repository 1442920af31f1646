import {
  canAnswer,
  otherServerThan,
  type Place,
  places,
  type QuestionName,
  questionNames,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import type { RunRequestInput } from '../../../shared/kinds/comparison/run-request.ts';
import type { SidesRequestInput } from '../../../shared/kinds/comparison/side.ts';

/** What the bench of sides asks: each question wherever it can be answered here, and sides against themselves. */

export type Cell = {
  place: Place;
  /** The name of a question, or which sides are the same. */
  asks: QuestionName | (typeof nullNames)[number];
  request: RunRequestInput;
};

const nullNames = ['same group', 'same certificate'] as const;
export type NullName = (typeof nullNames)[number];

export function isNull({ asks }: Pick<Cell, 'asks'>): boolean {
  return (nullNames as readonly string[]).includes(asks);
}

/** @param here servers that are installed */
export function cellsOf(here: readonly string[]): Cell[] {
  const found = places.filter((place) => place === 'storefront' || here.includes(place));
  return [
    ...found.flatMap(nullsAt),
    ...questionNames.flatMap((name) =>
      found.flatMap((place) => (canAnswer(name, place) ? [askedAt(place, name, here)] : [])),
    ),
  ];
}

/** In the order in which they are measured: an interruption finds of everything about as much. */
export function inRounds(cells: readonly Cell[], rounds: { nulls: number; questions: number }) {
  const most = Math.max(rounds.nulls, rounds.questions);
  return Array.from({ length: most }, (_, round) =>
    cells
      .filter((cell) => round < (isNull(cell) ? rounds.nulls : rounds.questions))
      .map((cell) => ({ cell, round, key: `${cell.asks}, ${cell.place}, ${round}` })),
  ).flat();
}

const ofHandshakes = { connectionPolicy: 'connection-per-transaction' } as const;

function nullsAt(place: Place): Cell[] {
  const secure = { transport: 'https' } as const;
  const sameGroup = { baseline: secure, comparison: secure, tls: { group: 'X25519' } };
  return nullNames.flatMap((asks): Cell[] => {
    // The storefront has one certificate, so it would be the same question.
    if (asks === 'same certificate' && place === 'storefront') return [];
    const { tls, ...sides } = asks === 'same group' ? sameGroup : { ...sameCertificate, tls: {} };
    return [{ place, asks, request: { target: place as 'nginx', sides, tls, ...ofHandshakes } }];
  });
}

const sameCertificate = {
  baseline: { transport: 'https', target: { key: 'P-256' } },
  comparison: { transport: 'https', target: { key: 'P-256' } },
} satisfies SidesRequestInput;

function askedAt(place: Place, name: QuestionName, here: readonly string[]): Cell {
  const { sides, both } = questions[name];
  const asked = name === 'server' ? withOther(place, here) : sides;
  const { target, ...shared } = both ?? {};
  const whole =
    place === 'storefront' ? place : { kind: 'managed' as const, server: place as 'nginx', ...target };
  return { place, asks: name, request: { target: whole, sides: asked, ...shared } };
}

function withOther(place: Place, here: readonly string[]): SidesRequestInput {
  const usual = otherServerThan(place as 'nginx');
  const server = here.includes(usual) ? usual : 'node';
  const { baseline, comparison } = questions.server.sides;
  return { baseline, comparison: { ...comparison, target: { server } } };
}
