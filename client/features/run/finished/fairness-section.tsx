import { printNumber } from '../../../../shared/base/quantity.ts';
import { type BySide, bySide, type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { FairnessSide } from '../../../../shared/kinds/comparison/run.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { describeLoad, pointInWords, printCores } from '../../../../shared/words/at-load-words.ts';
import { bodyWords, decodedWords } from '../../../../shared/words/negotiated-words.ts';
import { tlsFacts } from '../../../../shared/words/tls-facts.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Fold } from '../../../components/fold.tsx';
import { sidesOf } from '../../../format/side.ts';

type Row = { name: string; baseline: string; comparison: string };

/** Whether the two sides did the same work in the same way, and who was at their limit. */
export function FairnessSection({ document }: { document: ShownRun }) {
  const sides = sidesOf(document.sides);
  const rows = fairnessRows(document);
  return (
    <Fold id="fairness" title="Fairness" printed>
      {document.atLoad === undefined ? null : <p>{describeLoad(document.atLoad, document).join(' ')}</p>}
      <Card flush>
        <DataTable
          caption="Both sides as measured"
          text
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { label: 'What', cell: ({ name }) => name },
            { label: sides.baseline.label, cell: ({ baseline }) => baseline },
            { label: sides.comparison.label, cell: ({ comparison }) => comparison },
          ]}
        />
      </Card>
    </Fold>
  );
}

const none = '–';

function fairnessRows(document: ShownRun): Row[] {
  const { fairness, scenario } = document;
  const both = (read: (side: FairnessSide) => string): BySide<string> =>
    bySide((side) => (fairness === null ? none : read(fairness[side])));
  return [
    ...tlsFacts(document),
    { name: 'HTTP version', ...both(({ httpVersion }) => printVersion(httpVersion)) },
    { name: 'Bodies per transaction', ...both(bodyWords) },
    ...(sideNames.every((side) => fairness === null || decodedWords(fairness[side], scenario) === null)
      ? []
      : [{ name: 'Bodies decoded', ...both((side) => decodedWords(side, scenario) ?? none) }]),
    ...cpuRows(document),
  ];
}

/** Who was busy at each load, the heaviest first. */
function cpuRows(document: ShownRun): Row[] {
  const { fairness, atLoad, blocks } = document;
  if (fairness === null) return [];
  const cores = atLoad?.cores ?? null;
  const busiest = bySide((side) => busiestOf(blocks, side));
  const known = sideNames.some((side) => busiest[side] !== null);
  return [
    {
      name: 'CPU of the server',
      ...bySide((side) => printUse(fairness[side].targetCpuPercent, (percent) => printCores(percent, cores))),
    },
    {
      name: 'CPU of the load generator',
      ...bySide((side) =>
        printUse(fairness[side].generatorCpuPercent, (percent) => printCores(percent, null)),
      ),
    },
    ...(known
      ? [
          {
            name: 'Busiest generator process at load',
            ...bySide((side) => printShareOf(busiest[side])),
          },
        ]
      : []),
  ];
}

/** The most that one of the generator's processes was busy, as a share of the bursts; null without any. */
function busiestOf(blocks: ShownRun['blocks'], side: SideName): number | null {
  const shares = blocks
    .flatMap(({ slots }) => slots)
    .filter(({ arm, point, load }) => arm === side && point === 'maximum' && load.elapsedUs > 0)
    .map(({ load }) => load.generatorBusiestUs / load.elapsedUs);
  return shares.length === 0 ? null : Math.max(...shares);
}

function printShareOf(share: number | null): string {
  return share === null ? none : `${printNumber(share * 100, 0)}\u00a0% busy`;
}

const heaviestFirst = ['maximum', 'steady', 'lockstep'] as const satisfies OperatingPoint[];

/** At each operating point that the run has. */
function printUse(
  percent: FairnessSide['targetCpuPercent'],
  print: (percentOfCore: number) => string,
): string {
  const parts = heaviestFirst.flatMap((point) => {
    const value = percent[point];
    return value === null ? [] : [`${print(value)} ${pointInWords[point]}`];
  });
  return parts.join(', ') || none;
}

function printVersion(version: string): string {
  return /^\d/.test(version) ? `HTTP/${version.replace('2.0', '2')}` : version;
}
