import { printChange, printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import { speedSentences, speedThenAndNow } from '../../../../shared/historic/speed-then-and-now.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedDocument,
  type SpeedRow,
  speedSizes,
} from '../../../../shared/kinds/speed/speed.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';

/** The speed table as a report in Markdown. */
export function printSpeedMarkdown(document: SpeedDocument): string {
  const { id, createdAt, state, plan, opensslProgram, warnings, unavailable } = document;
  const beside =
    opensslProgram === null ? '' : ` Ratios are against ${plainly(opensslProgram)} in the same rounds.`;
  const sections = [
    '# What the primitives of TLS cost',
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}: per second of CPU time on one core, medians of ${plan.rounds} rounds.${beside}`,
    ...warnings.map((warning) => `**Note:** ${plainly(warning)}`),
    ...primitiveGroups.map((group) => groupTables(document.rows.filter((row) => row.group === group))),
    whySlower(document.rows),
    thenAndNow(document.rows),
    unavailable.length === 0
      ? ''
      : `## Not measured\n\n${listOf(unavailable.map(({ primitive, reason }) => `${primitive}: ${reason}`))}`,
    `## Where\n\n${machineOf(document.environment)}`,
    `## Repeat it\n\n    ${document.command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function groupTables(rows: readonly SpeedRow[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const sized = rows.filter(({ bytes }) => bytes !== null);
  const others = rows.filter(({ bytes }) => bytes === null);
  const names = [...new Set(sized.map(({ primitive }) => primitive))];
  const speeds = names.map((name) => [
    name,
    ...speedSizes.map((size) => {
      const row = sized.find(({ primitive, bytes }) => primitive === name && bytes === size);
      return row?.bytesPerS == null ? '–' : `${printNumber(row.bytesPerS.center / 1e6, 1)}${ratioOf(row)}`;
    }),
  ]);
  const keys = others.map((row) => [
    `${row.primitive} ${row.operation}`,
    printNumber(row.operationsPerS.center, 0),
    printNumber(1e6 / row.operationsPerS.center, 1),
    ratioOf(row).trim(),
  ]);
  return [
    `## ${primitiveGroupTitles[first.group]}`,
    ...(speeds.length === 0
      ? []
      : [tableOf(['MB/s', ...speedSizes.map((size) => `${printNumber(size, 0)} B`)], speeds)]),
    ...(keys.length === 0 ? [] : [tableOf(['', 'Per second', 'µs', 'vs openssl'], keys)]),
  ].join('\n\n');
}

function ratioOf({ openssl }: SpeedRow): string {
  return openssl.status === 'measured' && openssl.ratio !== null
    ? ` (${printChange(openssl.ratio.center)})`
    : '';
}

/** Of everything that is more than 10 % slower than `openssl speed`. */
function whySlower(rows: readonly SpeedRow[]): string {
  const lines = rows.flatMap(({ primitive, operation, bytes, explanation }) =>
    explanation === null
      ? []
      : [`${primitive} ${bytes === null ? operation : `${printNumber(bytes, 0)} B`}: ${explanation}`],
  );
  return lines.length === 0 ? '' : `## Why some primitives are slower than openssl speed\n\n${listOf(lines)}`;
}

function thenAndNow(rows: readonly SpeedRow[]): string {
  const both = speedThenAndNow(rows).flatMap((each) =>
    each.nowPerS === null || each.factor === null
      ? []
      : [
          [
            `${each.algorithm}${each.bytes === null ? '' : `, ${printNumber(each.bytes, 0)} B`}`,
            String(each.year),
            printNumber(each.thenPerS, 0),
            printNumber(each.nowPerS, 0),
            printFactor(each.factor),
          ],
        ],
  );
  if (both.length === 0) return '';
  const table = tableOf(['', 'Year', 'Per s then', 'Per s now', 'Speedup'], both);
  return ['## Then and now', ...speedSentences(rows).map(plainly), table].join('\n\n');
}
