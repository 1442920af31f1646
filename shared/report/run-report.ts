import type { RequestOutcome } from '../base/outcome.ts';
import { printNumber } from '../base/quantity.ts';
import {
  type BySide,
  bySide,
  labelsOf,
  printHttpVersion,
  type SideName,
  sideNames,
} from '../base/transport.ts';
import { titleOfMetric } from '../kinds/comparison/at-load.ts';
import type { SideError } from '../kinds/comparison/block.ts';
import { ciOf } from '../kinds/comparison/comparison.ts';
import type { OperatingPoint } from '../kinds/comparison/load-profile.ts';
import { quantityOf } from '../kinds/comparison/metric.ts';
import type { FairnessSide, ShownRun } from '../kinds/comparison/run.ts';
import { shiftOf } from '../kinds/comparison/shift.ts';
import { dropAdvice, leftOutOf } from '../words/causes.ts';
import { bodyWords, decodedWords, tlsFacts } from '../words/negotiated-words.ts';
import { describePrecision, printPlain } from '../words/precision-words.ts';
import { pointInWords, printCores } from '../words/side-words.ts';
import { figures, partOfSide, quantities, type TablePart, table, texts } from './report.ts';

/** Tables that a run's page and its report have in common. */

/** Basis of each interval, and the interval that this run alone would give. */
export function precisionTable(run: Pick<ShownRun, 'metrics' | 'scenario' | 'atLoad'>): TablePart {
  const { metrics } = run;
  const ci = ciOf(metrics[0] ?? {});
  const rows = metrics.filter(({ precision, ...row }) => precision !== undefined && shiftOf(row) !== null);
  return table(
    [
      ...texts('Metric'),
      ...quantities([ci, 'change'], ['This run alone', 'alone']),
      { title: 'Basis', holds: 'text', part: 'basis' },
    ],
    rows.map((row) => [
      titleOfMetric(row.id, run),
      shiftOf(row)?.interval ?? null,
      printPlain(row),
      describePrecision(row).join(' '),
    ]),
    `Each ${ci}, and the one from this run alone`,
    rows.map(({ id }) => quantityOf(id)),
  );
}

export function errorTable(errors: readonly SideError[]): TablePart {
  return table(
    [...texts('Kind', 'Side', 'Step', 'What happened'), ...figures('Count')],
    errors.map(({ name, step, outcome, detail, count }) => [
      words[outcome],
      name,
      step ?? 'connecting',
      detail,
      printNumber(count, 0),
    ]),
  );
}

const words: Record<RequestOutcome, string> = {
  ok: 'Fine',
  unexpected_status: 'Unexpected status',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  connection_closed_early: 'Closed too early',
  closed_idle: 'Idle connection closed',
  connect_failed: 'Could not connect',
  timed_out: 'Timed out',
  malformed_response: 'Malformed response',
  body_too_short: 'Body too short',
  body_too_long: 'Body too long',
  check_failed: 'A check failed',
  extraction_failed: 'A variable was not found',
  tls_failed: 'TLS failed',
  tls_changed: 'TLS changed',
};

/** Blocks that do not count for every metric, and the remedy. */
export function droppedTable({ blocks }: Pick<ShownRun, 'blocks'>): TablePart {
  return table(
    texts('Part', 'Measured', 'Discarded for', 'Reason', 'What helps'),
    blocks
      .filter(({ reasons }) => reasons.length > 0)
      .map(({ index, kind, reasons }) => [
        `Part\u00a0${index + 1}`,
        pointInWords[kind],
        leftOutOf(reasons),
        reasons.map(({ message }) => message).join(' '),
        [...new Set(reasons.map(({ code }) => dropAdvice[code]))].join(' '),
      ]),
  );
}

type Row = { name: string; baseline: string; comparison: string };

/** Whether the two sides did the same work in the same way, and who was at their limit. */
export function fairnessTable(document: ShownRun): TablePart {
  const labels = labelsOf(document.sides);
  const rows = fairnessRows(document);
  return table(
    [
      ...texts('What'),
      ...sideNames.map((side) => ({ title: labels[side], holds: 'text' as const, part: partOfSide[side] })),
    ],
    rows.map(({ name, baseline, comparison }) => [name, baseline, comparison]),
    'Both sides as measured',
    rows.map(({ name }) => `comparison/run/${name}`),
  );
}

const none = '–';

function fairnessRows(document: ShownRun): Row[] {
  const { fairness, scenario } = document;
  const both = (read: (side: FairnessSide) => string): BySide<string> =>
    bySide((side) => (fairness === null ? none : read(fairness[side])));
  return [
    ...tlsFacts(document),
    {
      name: 'HTTP version',
      ...both(({ httpVersion: each }) => (each === 'unknown' ? each : printHttpVersion(each))),
    },
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
            name: 'Busiest generator process at full load',
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
