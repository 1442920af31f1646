import {
  printChangeInterval,
  printDifference,
  printNumber,
  printSigned,
  type Scale,
} from '../base/quantity.ts';
import {
  type BySide,
  isEncrypted,
  type KnownSide,
  labelsOf,
  type SideName,
  sideNames,
} from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import type { Interval, MetricComparison, Precision, Widening } from '../kinds/comparison/comparison.ts';
import type { CountedConnections, RunDocument } from '../kinds/comparison/run.ts';
import { scaleOf } from '../kinds/comparison/shift.ts';
import { listed } from './example-words.ts';

/** Basis of an interval, in words: on the page, in the terminal, and in Markdown. */

/** `5 starts`, `12 samples`: what an interval is computed from. */
export function unitsInWords({ launches, pairs }: Pick<MetricComparison, 'launches' | 'pairs'>): string {
  return launches.length > 1
    ? `${printNumber(launches.length, 0)} starts`
    : `${printNumber(pairs.length, 0)} samples`;
}

/** The interval from this run alone; null where it is not known, or is the one that stands. */
export function printPlain(row: MetricComparison): string | null {
  const plain = row.precision?.plain ?? null;
  return plain === null ? null : printInterval(row, plain);
}

/**
 * In sentences: `From 5 starts and 12 earlier runs.`, `Widened by 0.4 % for drift.` Empty where nothing was noted.
 */
export function describePrecision(row: MetricComparison): string[] {
  const { precision } = row;
  if (precision === undefined) return [];
  const { prior, isNoisierThanPast, betweenRuns, widenings } = precision;
  const units = unitsInWords(row);
  return [
    ...(prior === null
      ? [`From ${units} alone${isNoisierThanPast ? ', which varied more than usual' : ''}.`]
      : [`From ${units} and ${sourceOf(prior)}.`]),
    ...(betweenRuns === null
      ? []
      : [`Includes how much runs differ from one another, by ${sourceOf(betweenRuns)}.`]),
    ...(widenings.length === 0
      ? []
      : [`Widened by ${listed(widenings.map((each) => widenedBy(row, each)))}.`]),
  ];
}

/** `12 earlier runs`. */
function sourceOf({ from, runs }: NonNullable<Precision['prior']>): string {
  if (from === 'shipped') return 'a typical spread, because this machine has too few earlier runs';
  return `${printNumber(runs, 0)} earlier ${runs === 1 ? 'run' : 'runs'}`;
}

const causes: Record<Widening['name'], string> = {
  drift: 'drift',
  twin: 'the control',
  'carry-over': 'carry-over between turns',
};

/** `0.4 % for drift`. */
function widenedBy(row: MetricComparison, { name, by }: Widening): string {
  const amount =
    row.ratio === null
      ? printDifference(by, scaleOf(row)).replace('+', '')
      : `${printNumber(Math.expm1(by) * 100, by < 0.001 ? 2 : 1)} %`;
  return `${amount} for ${causes[name]}`;
}

function printInterval(row: MetricComparison, { lo, hi }: Interval): string {
  if (row.ratio === null) return printEnds({ lo, hi }, scaleOf(row));
  return printChangeInterval({ lo: Math.exp(lo), center: row.ratio.center, hi: Math.exp(hi) });
}

function printEnds({ lo, hi }: Interval, scale: Scale): string {
  return `${printSigned(lo, scale)} to ${printDifference(hi, scale)}`;
}

/** `1.6`, or `1.60 (1.55 to 1.66)` where the interval shows: two digits more than the size of the value. */
export function printEstimate(estimate: Estimate): string {
  const decimals = decimalsOf(estimate);
  return withInterval(estimate, (value) => printNumber(value, decimals));
}

type BilledRow = Record<SideName | 'added', Estimate | null> & { unit: string };

/** Digits that are tried beyond those of the sides. */
const mostMore = 3;

/** `$1,234`, `$12.30 (−$1.20 to $25.80)`, `0.25`: amounts of a row, with decimals at which its sides give the difference. */
export function printBilled({ unit, baseline, comparison, added }: BilledRow, amount: Estimate): string {
  const sides = [baseline, comparison].filter((each) => each !== null);
  const least = decimalsOf(sides.toSorted((a, b) => b.center - a.center)[0] ?? amount);
  const subtracts = (decimals: number) => {
    if (baseline === null || comparison === null || added === null) return true;
    const [first = 0, second = 0, more] = [baseline, comparison, added].map(({ center }) =>
      Number(center.toFixed(decimals)),
    );
    return (second - first).toFixed(decimals) === more?.toFixed(decimals);
  };
  // Nobody pays parts of a cent of a larger sum.
  const most = unit === '$' ? Math.max(2, least) : least + mostMore;
  const tried = Array.from({ length: most - least + 1 }, (_, more) => least + more);
  const decimals = tried.find(subtracts) ?? (unit === '$' ? most : least);
  return withInterval(amount, unit === '$' ? dollarsWith(decimals) : (value) => printNumber(value, decimals));
}

/** With the digits of an estimate. */
export function dollarsLike(estimate: Estimate): (value: number) => string {
  return dollarsWith(decimalsOf(estimate));
}

/** Cents have two digits. */
function dollarsWith(decimals: number): (value: number) => string {
  return (value) => printNumber(value, decimals === 1 ? 2 : decimals).replace(/^−?/, '$&$');
}

function decimalsOf({ center, lo, hi }: Estimate): number {
  const size = Math.max(Math.abs(lo), Math.abs(center), Math.abs(hi));
  return size === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))));
}

function withInterval({ center, lo, hi }: Estimate, print: (value: number) => string): string {
  return print(lo) === print(hi) ? print(center) : `${print(center)} (${print(lo)} to ${print(hi)})`;
}

/** Connections as they were counted, beside what was planned: a server may close what was to be kept, or ask for another handshake. */

type Run = Pick<RunDocument, 'scenario' | 'connections' | 'connectionsPerTransaction'> & {
  sides: BySide<KnownSide>;
  plan: Pick<RunDocument['plan'], 'connectionPolicy' | 'requestsPerConnection'>;
  /** Target whose servers may be configured to close connections. */
  target?: RunDocument['target'];
  asked?: Pick<RunDocument['asked'], 'sides'>;
};

/** Below so few new connections per request none has one, and above so many each. */
const fewNew = 0.05;
export const nearlyAll = 0.95;

/** New connections per request, and handshakes on old ones, which cost what new ones do. */
export function newPerRequest({ requests, opened, renegotiated }: CountedConnections): number {
  return requests === 0 ? 0 : (opened + renegotiated) / requests;
}

/** Whether what a request costs has new connections in it. */
export function opensMany(connections: BySide<CountedConnections> | undefined): boolean {
  return connections !== undefined && sideNames.some((side) => newPerRequest(connections[side]) >= fewNew);
}

/** `including 0.5 handshakes`, of the unit that the cost is of; null where there are next to none, or where new connections are the unit. */
export function handshakesIncluded({ sides, connections, connectionsPerTransaction }: Run): string | null {
  if (connections === undefined || connectionsPerTransaction !== undefined || !opensMany(connections))
    return null;
  const encrypted = sideNames.filter((side) => isEncrypted(sides[side].transport));
  const noun = encrypted.length === 0 ? 'new connection' : 'handshake';
  const of = (encrypted.length === 0 ? sideNames : encrypted).map((side) => {
    const { transactions, opened, renegotiated } = connections[side];
    return { side, each: printTwoDigits((opened + renegotiated) / Math.max(1, transactions)) };
  });
  const [first, second] = of;
  if (first === undefined) return null;
  const plural = (count: string) => `${count} ${noun}${count === '1' ? '' : 's'}`;
  if (second === undefined || first.each === second.each) return `including ${plural(first.each)}`;
  const labels = labelsOf(sides);
  return `including ${plural(first.each)} with ${labels[first.side]} and ${second.each} with ${labels[second.side]}`;
}

/** `keep-alive was planned; the server closed each connection after one response`. Null where all went as planned. */
export function connectionsAgainstPlan(run: Run): string | null {
  const { connections, sides } = run;
  if (connections === undefined) return null;
  const labels = labelsOf(sides);
  const planned = plannedOf(run);
  const told = sideNames.flatMap((side) => {
    const done = doneWith(connections[side], closesAsAsked(run, side) ? 1 : planned.perRequest);
    return done === null ? [] : [{ label: labels[side], done }];
  });
  const [first, second] = told;
  if (first === undefined) return null;
  const isAlike = first.done === second?.done;
  const what = isAlike
    ? `the server ${first.done}`
    : told.map(({ label, done }) => `with ${label} the server ${done}`).join(', ');
  return `${planned.words} planned; ${what}`;
}

function closesAsAsked({ target, asked }: Run, side: SideName): boolean {
  if (target?.kind !== 'managed') return false;
  return (asked?.sides[side].target?.keepAlive ?? target.keepAlive) === false;
}

function plannedOf({ plan, scenario }: Run): { words: string; perRequest: number } {
  const { connectionPolicy, requestsPerConnection } = plan;
  const policies: Record<typeof connectionPolicy, { words: string; perRequest: number }> = {
    'keep-alive': { words: 'keep-alive was', perRequest: 0 },
    'requests-per-connection': {
      words: `${printNumber(requestsPerConnection, 0)} requests per connection were`,
      perRequest: 1 / requestsPerConnection,
    },
    'connection-per-transaction': {
      words: 'one connection per transaction was',
      perRequest: 1 / Math.max(1, scenario.steps.length),
    },
    'connection-per-request': { words: 'one connection per request was', perRequest: 1 },
  };
  return policies[connectionPolicy];
}

/** Requests under way when a block begins or ends are no departure from the plan. */
const asPlanned = 1.1;

function doneWith({ requests, opened, renegotiated }: CountedConnections, planned: number): string | null {
  const [perRequest, again] = [opened, renegotiated].map((count) => count / Math.max(1, requests));
  const parts = [
    ...(perRequest !== undefined && perRequest >= fewNew && perRequest > asPlanned * planned
      ? [closedAfter(perRequest)]
      : []),
    ...(again !== undefined && again >= fewNew
      ? [`asked for ${printTwoDigits(again)} more handshakes per request on open connections`]
      : []),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}

function closedAfter(perRequest: number): string {
  return perRequest > nearlyAll
    ? 'closed each connection after one response'
    : `closed each connection after ${printTwoDigits(1 / perRequest)} responses on average`;
}

/** `0.5`, `1`, `0.33`, `12`. */
export function printTwoDigits(value: number): string {
  return `${Number(value.toPrecision(2))}`;
}
