import { z } from 'zod';
import type { SideName } from '../../shared/base/transport.ts';
import { type Estimate, estimateSchema } from '../../shared/base/units.ts';
import { metricIdSchema, verdictOutcomeSchema } from '../../shared/kinds/comparison/comparison.ts';
import {
  canAnswer,
  otherServerThan,
  type Place,
  places,
  type QuestionName,
  questionNames,
  questions,
} from '../../shared/kinds/comparison/questions.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import {
  type RunRequestInput,
  resolveSides,
  type SidesRequestInput,
} from '../../shared/kinds/comparison/run-request.ts';
import { handshakesDocumentSchema } from '../../shared/kinds/handshakes/handshakes.ts';
import { speedDocumentSchema } from '../../shared/kinds/speed/speed.ts';
import { performDocument } from './perform-run.ts';

/** Questions of this bench: each question in every place that can answer it here, and sides against themselves. */

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
    // Other libraries are compared by a bench of their own, which builds them.
    ...questionNames.flatMap((name) =>
      found.flatMap((place) =>
        name !== 'library' && canAnswer(name, place) ? [askedAt(place, name, here)] : [],
      ),
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

/** Observations of one run of the bench, and of its sides. */

const sideSeenSchema = z.strictObject({
  version: z.string().nullable(),
  group: z.string().nullable(),
  /** The lab's name for it, such as `RSA-2048`. */
  key: z.string().nullable(),
  resumed: z.boolean(),
  clientCertificates: z.boolean(),
  connections: z.int(),
});
export type SideSeen = z.infer<typeof sideSeenSchema>;

export const observedSchema = z.strictObject({
  seconds: z.number().nonnegative(),
  state: z.string(),
  outcome: verdictOutcomeSchema.nullable(),
  /** Rows that claim a difference. */
  claims: z.array(metricIdSchema),
  /** Difference in server CPU at load, µs per transaction, which has one connection if the question is about handshakes. */
  deltaUs: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  /** That its TLS comes from; null where it is not known. */
  library: z.string().nullable(),
  sides: z.tuple([sideSeenSchema, sideSeenSchema]).nullable(),
  /** The verdict, or why there is none. */
  said: z.string(),
});
export type Observed = z.infer<typeof observedSchema>;

export function observe(
  document: RunDocument | null,
  { seconds, said }: { seconds: number; said: string },
): Observed {
  const none = { outcome: null, claims: [], deltaUs: null, ratio: null, library: null, sides: null };
  if (document === null) return { ...none, seconds, state: 'refused', said };
  const cpu = document.metrics.find(({ id }) => id === 'cpu_at_load');
  return {
    ...{ seconds, said, state: document.state, outcome: document.verdict?.outcome ?? null },
    claims: document.metrics.flatMap(({ id, outcome }) => (outcome === 'overhead' ? [id] : [])),
    ...{ deltaUs: cpu?.delta ?? null, ratio: cpu?.ratio ?? null },
    library: document.server?.tlsLibrary ?? null,
    sides: [sideSeen(document, 'baseline'), sideSeen(document, 'comparison')],
  };
}

function sideSeen(document: RunDocument, side: SideName): SideSeen {
  const { negotiated, handshakes, connections } = document.tls[side];
  const { protocol = null, group = null, key = null } = negotiated ?? {};
  const { sides, tls } = document.asked;
  const { target } = resolveSides({ sides, tls, target: document.target })[side];
  return {
    ...{ version: protocol, key: key?.replace(/^EC /, '').replace(' ', '-') ?? null, connections },
    // A library says none on a resumed connection.
    group: group ?? document.preflight?.sides[side].tls?.group ?? null,
    resumed: handshakes.resumed > handshakes.full,
    clientCertificates: target.kind === 'managed' && target.clientCertificates,
  };
}

/**
 * Expected answer to a question, known without a run of it: for Node, the server's end of the lab's handshakes; for a server that links
 * the system's OpenSSL, the primitives that differ, by `openssl speed` of that library. Go and BoringSSL have a direction only.
 */
export const referenceSchema = z.strictObject({
  /** CPU of the server's end, µs, by `version/group/key/resumption`. */
  lab: z.record(z.string(), estimateSchema),
  /** µs of a call, by `primitive/operation`. */
  openssl: z.record(z.string(), z.number()),
});
export type Reference = z.infer<typeof referenceSchema>;

export type Expected =
  | { by: 'lab' | 'openssl speed'; us: Estimate }
  | { by: 'direction'; sign: 1 | -1 }
  | null;

export async function measureReference(url: string): Promise<Reference> {
  const grid = {
    versions: ['TLSv1.3', 'TLSv1.2'],
    keys: ['P-256', 'RSA-2048'],
    groups: ['X25519', 'X25519MLKEM768'],
    resumption: ['full', 'resumed'],
  };
  const names = ['RSA-2048', 'ECDSA-P-256', 'X25519', 'ML-KEM-768'];
  const lab = await performDocument(url, { kind: 'handshakes', grid }, handshakesDocumentSchema);
  const speed = await performDocument(url, { kind: 'speed', names }, speedDocumentSchema);
  return {
    lab: Object.fromEntries(
      lab.cells.flatMap((result) => {
        if (result.status !== 'measured' || result.ends === null) return [];
        const { version, group, key, resumption } = result.cell;
        return [[`${version}/${group}/${key}/${resumption}`, result.ends.serverCpuUs]];
      }),
    ),
    openssl: Object.fromEntries(
      speed.rows.flatMap(({ primitive, operation, openssl }) =>
        openssl.status === 'measured'
          ? [[`${primitive}/${operation}`, 1e6 / openssl.operationsPerS.center]]
          : [],
      ),
    ),
  };
}

/**
 * @param library of the server, such as `OpenSSL 3.0.19`
 * @param linked that of `openssl speed`
 */
export function expectedOf(
  [baseline, comparison]: readonly [SideSeen, SideSeen],
  reference: Reference,
  { library, own }: { library: string | null; own: boolean },
): Expected {
  if (own) {
    const [before, after] = [baseline, comparison].map((side) => reference.lab[cellOf(side)]);
    if (before !== undefined && after !== undefined && before !== after) {
      const us = { center: after.center - before.center, lo: after.lo - before.hi, hi: after.hi - before.lo };
      return { by: 'lab', us };
    }
  }
  const primitives = differenceOf(baseline, comparison, reference.openssl);
  if (primitives === null) return null;
  const { us, known } = primitives;
  if (library === null || !library.startsWith('OpenSSL') || !known || own) {
    return us === 0 ? null : { by: 'direction', sign: us > 0 ? 1 : -1 };
  }
  return { by: 'openssl speed', us: { center: us, lo: us, hi: us } };
}

function cellOf({ version, group, key, resumed }: SideSeen): string {
  return `${version}/${group}/${key}/${resumed ? 'resumed' : 'full'}`;
}

/** Null where no primitive of the server differs. Post-quantum shares have a direction only, as no `openssl speed` of 3.0 knows them. */
function differenceOf(
  baseline: SideSeen,
  comparison: SideSeen,
  openssl: Reference['openssl'],
): { us: number; known: boolean } | null {
  const [before, after] = [baseline, comparison].map((side) => serverUs(side, openssl));
  const isSame = JSON.stringify(workOf(baseline)) === JSON.stringify(workOf(comparison));
  if (isSame || before === undefined || after === undefined) return null;
  const isHybrid = [baseline, comparison].some(({ group }) => group?.includes('MLKEM'));
  return { us: after - before, known: !isHybrid || baseline.group === comparison.group };
}

/** Calls of the server in a handshake: it signs in a full one, and verifies a client's signature and its certificate. */
function workOf({ key, group, resumed, clientCertificates }: SideSeen): string[] {
  return [
    ...(resumed ? [] : [`${key === 'RSA-2048' ? 'RSA-2048' : 'ECDSA-P-256'}/sign`]),
    ...(group?.includes('MLKEM') ? ['ML-KEM-768/encapsulate'] : []),
    ...(clientCertificates && !resumed ? ['ECDSA-P-256/verify', 'ECDSA-P-256/verify'] : []),
  ];
}

/** About what encapsulating takes where it is not measured: enough for a direction. */
const unknownUs = 20;

function serverUs(side: SideSeen, openssl: Reference['openssl']): number {
  return workOf(side).reduce((sum, call) => sum + (openssl[call] ?? unknownUs), 0);
}
