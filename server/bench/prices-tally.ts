import { differenceOf, excludes, mapEstimate } from '../../shared/base/estimate-arithmetic.ts';
import { printChange, printNumber } from '../../shared/base/quantity.ts';
import { sideNames } from '../../shared/base/transport.ts';
import type { Estimate } from '../../shared/base/units.ts';
import { trafficInWords } from '../../shared/kinds/prices/predictions.ts';
import type { PriceItem } from '../../shared/kinds/prices/prices.ts';
import { agreesWith, type Predicted } from '../kinds/prices/price-predictions.ts';
import { printCount, printTable } from './print-table.ts';
import { binomialInterval } from './spread.ts';

/** Tallies of the bench of price lists: bills beside runs, lists beside each other, and memory beside what was touched. */

/** One of the mixed traffics. */
type Proof = { traffic: string; found: Predicted | string };

export type Proven = {
  server: string;
  proofs: readonly Proof[];
  /** Items of the halves of its list. */
  halves: readonly (readonly PriceItem[])[];
  /** Items of HTTP beside HTTP; null if it was not measured. */
  control: readonly PriceItem[] | null;
  /** Memory of an open connection over HTTP and HTTPS, bytes; null if it was not measured. */
  memory: PriceItem | null;
};

type ServerRow = {
  bench: 'prices';
  server: string;
  runs: number;
  /** Scaled to the run’s HTTP side: HTTPS within 10 %, the difference within 15 %, or inside an interval. */
  cpu: number;
  difference: number;
  /** The same by the list as it is. */
  cpuAsListed: number;
  differenceAsListed: number;
  leftOut: number;
  /** Items of the first half that are inside the interval of their change, and all. */
  same: number;
  items: number;
  /** Differences of HTTP from HTTP whose interval holds 0, and all. */
  holding: number;
  controls: number;
};

const nearCpu = 0.1;
const nearDifference = 0.15;

export function tallyServer({ server, proofs, halves, control }: Proven): ServerRow {
  const known = proofs.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
  const count = (by: 'scaled' | 'listed', what: 'comparison' | 'difference', share: number) =>
    known.filter((each) => agreesWith(each[by][what], each.measured[what], share)).length;
  const repeated = repeatsOf(halves);
  const differences = (control ?? []).flatMap(({ unit, difference }) =>
    unit === 'us' && difference !== null ? [difference] : [],
  );
  return {
    ...({ bench: 'prices', server, runs: known.length } as const),
    cpu: count('scaled', 'comparison', nearCpu),
    difference: count('scaled', 'difference', nearDifference),
    cpuAsListed: count('listed', 'comparison', nearCpu),
    differenceAsListed: count('listed', 'difference', nearDifference),
    leftOut: proofs.length - known.length,
    ...{ same: repeated.filter(Boolean).length, items: repeated.length },
    holding: differences.filter((each) => !excludes(each, 0)).length,
    controls: differences.length,
  };
}

/**
 * Whether each price of the second half is that of the first, by the interval of their change. The second is scaled so that a request over
 * HTTP costs as much as in the first, which is the machine’s speed; that price itself does not count.
 */
function repeatsOf([first, second]: Proven['halves']): boolean[] {
  const requestOf = (items: readonly PriceItem[] | undefined) =>
    items?.find(({ id }) => id === 'request')?.baseline?.center ?? Number.NaN;
  const speed = requestOf(first) / requestOf(second);
  return (first ?? []).flatMap((item) => {
    const again = second?.find(({ id }) => id === item.id);
    if (item.unit !== 'us' || again === undefined) return [];
    return sideNames.flatMap((side) => {
      const [one, other] = [item[side], again[side]];
      if (one === null || other === null || (item.id === 'request' && side === 'baseline')) return [];
      return [
        !excludes(
          differenceOf(
            mapEstimate(other, (us) => us * speed),
            one,
          ),
          0,
        ),
      ];
    });
  });
}

export type MemoryRow = {
  bench: 'prices';
  memory: string;
  /** Bytes per connection of each process. */
  bytes: number[];
  /** Touched; null where that is not known. */
  touched: number | null;
};

export function printProof(
  proven: readonly Proven[],
  rows: readonly ServerRow[],
  memory: readonly MemoryRow[],
): string {
  return [
    ...proven.map(printRuns),
    ...(rows.length === 0 ? [] : [printServers(rows)]),
    ...(memory.length === 0 ? [] : [printMemory(memory)]),
  ].join('\n');
}

function printRuns({ server, proofs, memory }: Proven): string {
  const us = ({ center, lo, hi }: Estimate) =>
    `${printNumber(center, 1)} (${printNumber(lo, 1)} to ${printNumber(hi, 1)})`;
  const leftOut = proofs.flatMap(({ traffic, found }) =>
    typeof found === 'string' ? `${server}, ${traffic}: ${found}\n` : [],
  );
  const lines = proofs.flatMap(({ found }) => {
    if (typeof found === 'string') return [];
    const { listed, scaled, measured, slowness } = found;
    const row = [
      ...[server, trafficInWords(found), us(listed.difference), us(scaled.difference)],
      us(measured.difference),
      printChange(scaled.difference.center / measured.difference.center, 0),
      `${printChange(scaled.comparison.center / measured.comparison.center, 0)}, ${printChange(slowness, 0)}`,
    ];
    return [row];
  });
  const kb = (each: Estimate | null | undefined) =>
    each == null ? 'not known' : us(mapEstimate(each, (bytes) => bytes / 1000));
  const held =
    memory === null
      ? ''
      : `${server}, kB per open connection: HTTP ${kb(memory.baseline)}, HTTPS ${kb(memory.comparison)}\n`;
  const header = ['server', 'traffic', 'difference by the list, µs', 'scaled', 'measured', 'off'];
  return printTable([...header, 'HTTPS off, HTTP beside the list'], lines) + leftOut.join('') + held;
}

function printServers(rows: readonly ServerRow[]): string {
  const sum = (of: (row: ServerRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const all = {
    ...{ server: 'all', runs: sum(({ runs }) => runs), leftOut: sum(({ leftOut }) => leftOut) },
    ...{ cpu: sum(({ cpu }) => cpu), difference: sum(({ difference }) => difference) },
    cpuAsListed: sum(({ cpuAsListed }) => cpuAsListed),
    differenceAsListed: sum(({ differenceAsListed }) => differenceAsListed),
    ...{ same: sum(({ same }) => same), items: sum(({ items }) => items) },
    ...{ holding: sum(({ holding }) => holding), controls: sum(({ controls }) => controls) },
  };
  const header = ['server', 'HTTPS CPU within 10 %', 'difference within 15 %', 'as listed', 'left out'];
  return printTable(
    [...header, 'same price twice', 'HTTP beside HTTP holds 0'],
    [...rows, all].map((row) => [
      row.server,
      `${row.cpu} of ${row.runs}`,
      `${row.difference} of ${row.runs}`,
      `${row.cpuAsListed}, ${row.differenceAsListed}`,
      String(row.leftOut),
      printCount(row.same, row.items, binomialInterval(row.same, row.items)),
      printCount(row.holding, row.controls, binomialInterval(row.holding, row.controls)),
    ]),
  );
}

function printMemory(rows: readonly MemoryRow[]): string {
  return printTable(
    ['memory', 'kB per open connection, by process', 'touched', 'off'],
    rows.map(({ memory, bytes, touched }) => [
      memory,
      bytes.map((each) => printNumber(each / 1000, 2)).join(', '),
      touched === null ? 'not known' : `${printNumber(touched / 1000, 2)}`,
      touched === null ? '' : bytes.map((each) => printChange(each / touched, 1)).join(', '),
    ]),
  );
}
