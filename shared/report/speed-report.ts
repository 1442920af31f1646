import { printChange, printChangeInterval, printFactor, printNumber } from '../base/quantity.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedCost,
  type SpeedDocument,
  type SpeedRow,
  speedSizes,
} from '../kinds/speed/speed.ts';
import { leadingPerS, speedSentences, speedThenAndNow } from '../studies/speed-then-and-now.ts';
import { studies, yearOf } from '../studies/study-plan.ts';
import {
  byReason,
  type Finding,
  facts,
  figures,
  list,
  type Section,
  type TablePart,
  table,
  text,
  texts,
} from './report.ts';

/** The speed table: a section for each group of primitives, and why some are slower than openssl speed. */
export function speedFinding(document: SpeedDocument): Finding {
  const { plan, opensslProgram, costs, unavailable, environment, rows } = document;
  const beside =
    opensslProgram === null
      ? ''
      : ` Figures are those of openssl speed, ${opensslProgram}, where it has them.`;
  return {
    title: 'What the cryptography of TLS costs',
    lead: [text(...speedSentences(rows))],
    measured: `per second of CPU time on one core, medians of ${plan.rounds} rounds, Node ${environment.node} with OpenSSL ${environment.openssl}.${beside}`,
    sections: [
      ...primitiveGroups.map((group) => {
        const ofGroup = rows.filter((row) => row.group === group);
        return { heading: primitiveGroupTitles[group], parts: [sizeTable(ofGroup), keyTable(ofGroup)] };
      }),
      {
        heading: 'Cost per call, from a line through the sizes (– where it misses a size by more than 10 %)',
        parts: [costTable(costs)],
      },
      // A terminal omits these rows: it has the table of costs per call.
      {
        heading: 'Why some sizes are slower than openssl speed',
        isDetail: true,
        parts: [list(explanations(rows.filter(({ bytes }) => bytes !== null)))],
      },
      {
        heading: 'Why some operations are slower than openssl speed',
        parts: [list(explanations(rows.filter(({ bytes }) => bytes === null)))],
      },
      thenAndNow(rows),
      { heading: 'Without a ratio', parts: [list(byReason(withoutRatio(rows)))] },
      {
        id: 'not-measured',
        heading: 'Not measured',
        lead: 'What the library does not support, with its error.',
        parts: [facts(unavailable.map(({ primitive, reason }) => [primitive, reason]))],
      },
    ],
  };
}

/** Reasons why rows are more than 10 % slower. */
function explanations(rows: readonly SpeedRow[]): string[] {
  return rows.flatMap(({ primitive, operation, bytes, explanation }) =>
    explanation === null
      ? []
      : [`${primitive} ${bytes === null ? operation : `${printNumber(bytes, 0)} B`}: ${explanation}`],
  );
}

const beside = ['ssleay-1997', 'apache-security-2005'] as const;

function thenAndNow(rows: readonly SpeedRow[]): Section {
  const both = speedThenAndNow(rows).flatMap(
    ({ algorithm, bytes, year, thenPerS, nowPerS, factor, quantity }) =>
      nowPerS === null || factor === null
        ? []
        : [
            [
              bytes === null ? algorithm : `${algorithm}, ${printNumber(bytes, 0)} B`,
              String(year),
              printPerS(thenPerS, quantity),
              printPerS(nowPerS, quantity),
              printFactor(factor),
            ],
          ],
  );
  return {
    id: 'then-and-now',
    heading: 'Then and now',
    lead: `${beside.map((name) => `${yearOf(name)}: ${studies[name].machine}`).join('; ')}.`,
    parts: [
      table(
        [...texts('What'), ...figures('Year', 'Then', 'Now', 'Speedup')],
        both,
        'Old figures and today’s',
      ),
    ],
  };
}

function printPerS(value: number, quantity: 'bytes/s' | 'operations/s'): string {
  if (quantity === 'operations/s') return `${printNumber(value, value < 100 ? 1 : 0)} per s`;
  const millions = value / 1e6;
  return `${printNumber(millions, millions < 100 ? 1 : 0)} MB/s`;
}

function withoutRatio(rows: readonly SpeedRow[]) {
  return rows.flatMap(({ primitive, openssl }) =>
    openssl.status === 'measured' || openssl.reason === ''
      ? []
      : [{ name: primitive, reason: openssl.reason }],
  );
}

/** Table of primitives with sizes: millions of bytes per second by `openssl speed`, and below them the change through Node. */
function sizeTable(rows: readonly SpeedRow[]): TablePart {
  const sized = rows.filter(({ bytes }) => bytes !== null);
  const names = [...new Set(sized.map(({ primitive }) => primitive))];
  const lines = names.flatMap((name) => {
    const own = speedSizes.map((size) => sized.find((row) => row.primitive === name && row.bytes === size));
    const speeds = own.map((row) => printSpeed(row === undefined ? null : leadingPerS(row).bytes));
    const changes = own.map((row) => (row === undefined ? '' : changeOf(row)));
    return [
      [name, ...speeds],
      ...(changes.every((each) => each === '') ? [] : [['  through Node', ...changes]]),
    ];
  });
  return table(
    [...texts('MB/s'), ...figures(...speedSizes.map((size) => `${printNumber(size, 0)} B`))],
    lines,
  );
}

/** Operations without a size: signatures, key agreement, encapsulation. */
export function keyTable(rows: readonly SpeedRow[]): TablePart {
  return table(
    [...texts('Operation'), ...figures('Per second', 'µs', 'Through Node')],
    rows
      .filter(({ bytes }) => bytes === null)
      .map((row) => [
        `${row.primitive} ${row.operation}`,
        printNumber(leadingPerS(row).operations, 0),
        printNumber(1e6 / leadingPerS(row).operations, 1),
        printBeside(row),
      ]),
    'Operations per second of CPU time',
  );
}

function printBeside({ openssl }: SpeedRow): string | null {
  if (openssl.status === 'missing') return openssl.reason === '' ? null : openssl.reason;
  if (openssl.ratio === null) return null;
  return `${printChange(openssl.ratio.center)} (${printChangeInterval(openssl.ratio)})`;
}

/** Why Node is slow with small blocks: what a call costs before its first byte. */
function costTable(costs: readonly SpeedCost[]): TablePart {
  const print = (value: number | undefined) =>
    value === undefined ? null : printNumber(Math.max(0, value), value < 10 ? 2 : 1);
  return table(
    [
      ...texts('Primitive'),
      ...figures('µs before the first byte', 'in openssl', 'ns per byte', 'in openssl'),
    ],
    costs.map(({ primitive, node, openssl }) => [
      primitive,
      ...[node?.callUs, openssl?.callUs, node?.nsPerByte, openssl?.nsPerByte].map(print),
    ]),
  );
}

function printSpeed(bytesPerS: number | null): string | null {
  if (bytesPerS === null) return null;
  const millions = bytesPerS / 1e6;
  return printNumber(millions, millions < 100 ? 1 : 0);
}

function changeOf({ openssl }: SpeedRow): string {
  return openssl.status === 'measured' && openssl.ratio !== null ? printChange(openssl.ratio.center) : '';
}
