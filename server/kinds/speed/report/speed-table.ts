import { printChange, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import { speedSentences } from '../../../../shared/historic/speed-then-and-now.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedCost,
  type SpeedFigures,
  type SpeedRow,
  speedSizes,
} from '../../../../shared/kinds/speed/speed.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';

/** The speed table for a terminal. Ends with a line feed. */
export function printSpeedTable(figures: SpeedFigures): string {
  const { plan, unavailable, opensslProgram, environment, warnings, costs } = figures;
  const sections = primitiveGroups.flatMap((group) => {
    const rows = figures.rows.filter((row) => row.group === group);
    if (rows.length === 0) return [];
    const sized = rows.filter(({ bytes }) => bytes !== null);
    const others = rows.filter(({ bytes }) => bytes === null);
    return [
      [
        primitiveGroupTitles[group],
        ...(sized.length === 0 ? [] : sizedTable(sized)),
        ...(others.length === 0 ? [] : keyTable(others)),
      ],
    ];
  });
  const sentences = speedSentences(figures.rows);
  const program = opensslProgram === null ? '' : ` vs openssl: ${opensslProgram}, in the same rounds.`;
  const notes = [
    `Per second of CPU time, medians of ${plan.rounds} rounds, Node ${environment.node} with OpenSSL ${environment.openssl}.${program}`,
    ...warnings,
    ...explanations(figures.rows),
    ...missing(figures.rows),
    ...unavailable.map(({ primitive, reason }) => `${primitive}: not measured: ${reason}`),
  ];
  const paragraphs = [...sections, costTable(costs), sentences, notes].filter((lines) => lines.length > 0);
  return textOf(paragraphs.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])));
}

/** Millions of bytes a second, and below them the change to `openssl speed`. */
function sizedTable(rows: readonly SpeedRow[]): string[] {
  const names = [...new Set(rows.map(({ primitive }) => primitive))];
  const lines = names.flatMap((name) => {
    const own = speedSizes.map((size) => rows.find((row) => row.primitive === name && row.bytes === size));
    const speeds = own.map((row) => (row?.bytesPerS == null ? '–' : printSpeed(row.bytesPerS.center)));
    const changes = own.map((row) => (row === undefined ? '' : changeOf(row)));
    return [
      [name, ...speeds],
      ...(changes.every((each) => each === '') ? [] : [['  vs openssl', ...changes]]),
    ];
  });
  return alignColumns([['MB/s', ...speedSizes.map((size) => `${printNumber(size, 0)} B`)], ...lines], 'lr');
}

function keyTable(rows: readonly SpeedRow[]): string[] {
  return alignColumns(
    [
      ['', 'per s', 'µs', 'vs openssl', '95 % CI'],
      ...rows.map((row) => [
        `${row.primitive} ${row.operation}`,
        printNumber(row.operationsPerS.center, 0),
        printNumber(1e6 / row.operationsPerS.center, 1),
        changeOf(row),
        row.openssl.status === 'measured' && row.openssl.ratio !== null
          ? printChangeInterval(row.openssl.ratio)
          : '',
      ]),
    ],
    'lr',
  );
}

function printSpeed(bytesPerS: number): string {
  const millions = bytesPerS / 1e6;
  return printNumber(millions, millions < 100 ? 1 : 0);
}

function changeOf({ openssl }: SpeedRow): string {
  return openssl.status === 'measured' && openssl.ratio !== null ? printChange(openssl.ratio.center) : '';
}

/** Of primitives without sizes; those with sizes have the table of what a call costs. */
function explanations(rows: readonly SpeedRow[]): string[] {
  return rows.flatMap(({ primitive, operation, bytes, explanation }) =>
    explanation === null || bytes !== null ? [] : [`${primitive} ${operation}: ${explanation}`],
  );
}

/** Why Node is slow with small blocks: what a call costs before its first byte. */
function costTable(costs: readonly SpeedCost[]): string[] {
  if (costs.length === 0) return [];
  const print = (value: number | undefined) =>
    value === undefined ? '–' : printNumber(Math.max(0, value), value < 10 ? 2 : 1);
  return [
    'Cost per call, from a line through the sizes (– where it misses a size by more than 10 %)',
    ...alignColumns(
      [
        ['', 'µs before the first byte', 'in openssl', 'ns per byte', 'in openssl'],
        ...costs.map(({ primitive, node, openssl }) => [
          primitive,
          ...[node?.callUs, openssl?.callUs, node?.nsPerByte, openssl?.nsPerByte].map(print),
        ]),
      ],
      'lr',
    ),
  ];
}

function missing(rows: readonly SpeedRow[]): string[] {
  const reasons = new Map<string, string[]>();
  for (const { primitive, openssl } of rows) {
    if (openssl.status === 'measured' || openssl.reason === '') continue;
    const names = reasons.get(openssl.reason) ?? [];
    if (!names.includes(primitive)) names.push(primitive);
    reasons.set(openssl.reason, names);
  }
  return [...reasons].map(([reason, names]) => `No ratio: ${names.join(', ')}. ${reason}`);
}
