import { excludes, quotientOf } from '../base/estimate-arithmetic.ts';
import {
  printChange,
  printChangeInterval,
  printFactor,
  printNumber,
  printQuantity,
  scaleFor,
} from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import { differenceBy, endsInWords, guessInWords, printDifferenceOf } from '../kinds/comparison/shift.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedCost,
  type SpeedDocument,
  type SpeedOperation,
  type SpeedRow,
  speedSizes,
} from '../kinds/speed/speed.ts';
import type { Headline } from '../measurement/measurement.ts';
import { leadingPerS, speedSentences, speedThenAndNow } from '../studies/speed-then-and-now.ts';
import { studies, yearOf } from '../studies/study-plan.ts';
import {
  byReason,
  type Finding,
  facts,
  figures,
  leadOf,
  list,
  quantities,
  type Section,
  type TablePart,
  table,
  text,
  texts,
} from './report.ts';

/** Largest plaintext of a TLS record. */
const recordBytes = 16_384;
/** Suites that most connections choose between. */
const suites = ['AES-128-GCM', 'ChaCha20-Poly1305'];

/** Two ciphers beside each other: the usual two, otherwise the fastest and the slowest of one group. Null where nothing was measured. */
export function speedHeadline(rows: readonly SpeedRow[]): Headline | null {
  const pair = suites.map((primitive) => rows.find((row) => row.primitive === primitive && isRecord(row)));
  const [first, second] = pair.every((row) => row !== undefined) ? pair : (widestOf(rows) ?? []);
  if (first === undefined) {
    const only = rows.find(({ bytes }) => bytes === recordBytes) ?? rows[0];
    if (only === undefined) return null;
    const cost = costOf(only).center;
    return {
      title: `${only.primitive} costs ${printQuantity(cost, scaleFor('us', [cost]))} of CPU ${perOf(only)}`,
      second: `${printNumber(leadingPerS(only).operations, 0)} per second on one core`,
    };
  }
  if (second === undefined) return null;
  const ratio = quotientOf(costOf(second), costOf(first));
  const row = differenceBy('us', costOf(first).center, ratio);
  const printed = printDifferenceOf(row);
  if (printed === null) return null;
  if (!excludes(ratio, 1)) {
    const names = `${second.primitive} compared with ${first.primitive}`;
    return { title: guessInWords(printed), second: `CPU ${perOf(first)}, ${names} (${printed.values})` };
  }
  return {
    title: `${second.primitive} costs ${printed.amount} ${ratio.center > 1 ? 'more' : 'less'} CPU ${perOf(first)} than ${first.primitive}`,
    second: `${printed.change?.signed} on one core (${printed.values})`,
    third: `95 % CI ${endsInWords(printed)}.`,
  };
}

function isRecord({ operation, bytes }: SpeedRow): boolean {
  return operation === 'encrypt' && bytes === recordBytes;
}

/** The fastest and the slowest of the first group that has two of the same operation and size. */
function widestOf(rows: readonly SpeedRow[]): [SpeedRow, SpeedRow] | null {
  const groups = Map.groupBy(rows, ({ group, operation, bytes }) => `${group} ${operation} ${bytes}`);
  // The largest size shows best what a byte costs.
  const of = [...groups.values()].findLast((each) => each.length > 1);
  const sorted = of?.toSorted((a, b) => costOf(a).center - costOf(b).center);
  const [fastest, slowest] = [sorted?.[0], sorted?.at(-1)];
  return fastest === undefined || slowest === undefined ? null : [fastest, slowest];
}

/** CPU of one operation, µs. */
function costOf({ operationsPerS, openssl }: SpeedRow): Estimate {
  const { center, lo, hi } = openssl.status === 'measured' ? openssl.operationsPerS : operationsPerS;
  return { center: 1e6 / center, lo: 1e6 / hi, hi: 1e6 / lo };
}

function perOf({ bytes, operation }: SpeedRow): string {
  if (bytes === recordBytes) return 'per 16 kB';
  return bytes === null ? `per ${nounOf[operation]}` : `per ${printNumber(bytes, 0)} B`;
}

const nounOf: Record<SpeedOperation, string> = {
  ...{ digest: 'digest', encrypt: 'block', sign: 'signature', verify: 'verification' },
  ...{ generate: 'key', agree: 'agreement', encapsulate: 'encapsulation', decapsulate: 'decapsulation' },
  ...{ client: 'client’s share', server: 'server’s share' },
};

/** The speed table: a section for each group of primitives, and why some are slower than openssl speed. */
export function speedFinding(document: SpeedDocument): Finding {
  const { plan, opensslProgram, costs, unavailable, environment, rows } = document;
  const beside =
    opensslProgram === null
      ? ''
      : ` Figures are those of openssl speed, ${opensslProgram}, where it has them.`;
  const headline = speedHeadline(rows);
  return {
    title: headline?.title ?? 'What the cryptography of TLS costs',
    lead: [...leadOf(headline), text(...speedSentences(rows))],
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
        [
          ...texts('What'),
          ...figures('Year'),
          ...quantities(['Then', 'then'], ['Now', 'now'], ['Speedup', 'factor']),
        ],
        both,
        'Old figures and today’s',
        both.map(([what, year]) => `speed/${year}/${what}`),
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
      { of: `speed/${name}`, cells: [name, ...speeds, printRecord(own.at(-1))] },
      ...(changes.every((each) => each === '')
        ? []
        : [{ of: `speed/${name}/through Node`, cells: ['  through Node', ...changes, null] }]),
    ];
  });
  return table(
    [
      ...texts('MB/s'),
      ...quantities(...speedSizes.map((size) => [`${printNumber(size, 0)} B`, `${size}`] as const)),
      ...quantities(['16 kB, µs', 'record']),
    ],
    lines.map(({ cells }) => cells),
    null,
    lines.map(({ of }) => of),
  );
}

/** Operations without a size: signatures, key agreement, encapsulation. */
export function keyTable(all: readonly SpeedRow[]): TablePart {
  const rows = all.filter(({ bytes }) => bytes === null);
  return table(
    [
      ...texts('Operation'),
      ...quantities(['Per second', 'rate'], ['µs', 'cpu'], ['Through Node', 'through Node']),
    ],
    rows.map((row) => [
      `${row.primitive} ${row.operation}`,
      printNumber(leadingPerS(row).operations, 0),
      printNumber(1e6 / leadingPerS(row).operations, 1),
      printBeside(row),
    ]),
    'Operations per second of CPU time',
    rows.map(({ primitive, operation }) => `speed/${primitive} ${operation}`),
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
      ...quantities(['µs before the first byte', 'call'], ['in openssl, µs', 'openssl call']),
      ...quantities(['ns per byte', 'byte'], ['in openssl, ns', 'openssl byte']),
    ],
    costs.map(({ primitive, node, openssl }) => [
      primitive,
      ...[node?.callUs, openssl?.callUs, node?.nsPerByte, openssl?.nsPerByte].map(print),
    ]),
    null,
    costs.map(({ primitive }) => `speed/${primitive}`),
  );
}

/** µs of the largest plaintext of a TLS record. */
export function printRecord(row: SpeedRow | undefined): string | null {
  return row?.bytes === recordBytes ? printNumber(costOf(row).center, 2) : null;
}

function printSpeed(bytesPerS: number | null): string | null {
  if (bytesPerS === null) return null;
  const millions = bytesPerS / 1e6;
  return printNumber(millions, millions < 100 ? 1 : 0);
}

function changeOf({ openssl }: SpeedRow): string {
  return openssl.status === 'measured' && openssl.ratio !== null ? printChange(openssl.ratio.center) : '';
}
