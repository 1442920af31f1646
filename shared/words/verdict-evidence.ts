import { printDifference, printNumber, scaleFor } from '../base/quantity.ts';
import { bySide } from '../base/transport.ts';
import { ciOf } from '../kinds/comparison/comparison.ts';
import { linkInWords } from '../kinds/comparison/link.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { differenceInWords, isCertain, printDifferenceOf, shiftOf } from '../kinds/comparison/shift.ts';
import { factsOf } from '../target/target-facts.ts';
import { perConnection, stepsUnitOf } from './headline.ts';
import { negotiatedWords, programsInWords } from './negotiated-words.ts';
import { connectionsAgainstPlan, handshakesIncluded, unitsInWords } from './precision-words.ts';
import { busyCoresInWords, printUsers } from './side-words.ts';

type Shown = Pick<
  RunDocument,
  | 'verdict'
  | 'metrics'
  | 'scenario'
  | 'link'
  | 'sides'
  | 'tls'
  | 'atLoad'
  | 'fairness'
  | 'connections'
  | 'connectionsPerTransaction'
  | 'cpuOf'
> &
  Partial<Pick<RunDocument, 'target' | 'asked' | 'startedAt' | 'endedAt'>> & {
    plan: Pick<RunDocument['plan'], 'connectionPolicy' | 'requestsPerConnection'>;
  };

/**
 * The line of this run below its headline, with the set-up that it rests on: `This run: +6.1 µs (5.9 to 6.4), +43 % (41 to 45), 95 % CI from 5 starts
 * in 21 s, TLS 1.3, AES-256-GCM; 8 users, HTTP 0.97 cores, HTTPS 0.98; with one user, a request on an idle server +14 µs`. For new
 * connections: `…; +3.1 µs per request at 10 requests per connection, +0.31 µs at 100`. Null if the metric isn't printed.
 */
export function evidenceOf(run: Shown): string | null {
  const measured = measuredOf(run);
  if (measured === null) return null;
  const { tls, verdict } = run;
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  const main = [measured, ...(negotiated === null ? [] : [negotiated])].join(', ');
  const beside =
    verdict?.metric === 'cpu_at_load'
      ? [programsInWords(run), eachRequestOf(run), busyOf(run), perRequestOf(run), loneOf(run)]
      : [];
  return joinClauses([main, standingInWords(run), connectionsAgainstPlan(run), ...beside]);
}

/** Figures, and any departure of connections from the plan: `This run: +6.1 µs (5.9 to 6.4), +43 % (41 to 45), 95 % CI from 5 starts in 21 s`. Null if the metric isn't printed. */
export function foundOf(run: Shown): string | null {
  const measured = measuredOf(run);
  return measured === null
    ? null
    : joinClauses([measured, standingInWords(run), connectionsAgainstPlan(run)]);
}

function joinClauses(clauses: readonly (string | null)[]): string {
  return clauses.filter((each) => each !== null).join('; ');
}

function measuredOf(run: Shown): string | null {
  const { verdict, metrics, link } = run;
  const row = metrics.find(({ id }) => id === verdict?.metric);
  const printed =
    row === undefined || row.outcome === 'refused' ? null : printDifferenceOf(perConnection(row, run));
  if (row === undefined || printed === null) return null;
  const included = handshakesIncluded(run);
  const continued = row.confidence === undefined ? '' : ', because it was continued,';
  return [
    `This run: ${differenceInWords(printed)}`,
    `${ciOf(row)}${continued} from ${unitsInWords(row)}${timeInWords(run)}`,
    ...(link === undefined ? [] : [`over ${linkInWords(link)}`]),
    ...(included === null ? [] : [`${included} per ${stepsUnitOf(run)}`]),
  ].join(', ');
}

/** ` in 21 s`; empty before it has ended. */
function timeInWords({ startedAt = null, endedAt = null }: Shown): string {
  if (startedAt === null || endedAt === null) return '';
  const seconds = (endedAt - startedAt) / 1000;
  return ` in ${seconds < 120 ? `${printNumber(seconds, 0)} s` : `${printNumber(seconds / 60, 0)} min`}`;
}

function standingInWords({ target }: Shown): string | null {
  return target === undefined || factsOf(target).startedHere
    ? null
    : 'the server was running, not started by us';
}

/** The difference of a transaction, per request: `that is +17 µs per request`. Null for one step, and for an uncertain difference. */
function eachRequestOf({ metrics, scenario, connectionsPerTransaction }: Shown): string | null {
  const row = metrics.find(({ id }) => id === 'cpu_at_load');
  if (row === undefined || row.delta === null || !isCertain(row.outcome)) return null;
  if (scenario.steps.length < 2 || connectionsPerTransaction !== undefined) return null;
  const each = row.delta.center / scenario.steps.length;
  return `that is ${printDifference(each, scaleFor(row.unit, [each]))} per request`;
}

/** Requests that many connections carry, and requests of a busy client's connections. */
const requestsPerConnection = [10, 100] as const;

/**
 * `+3.1 µs per request at 10 requests per connection, +0.31 µs at 100`. Null where the amount is not certain, and where one side has no
 * TLS: what encryption costs a request is no less for there being many.
 */
function perRequestOf(run: Shown): string | null {
  const { metrics, tls, connectionsPerTransaction } = run;
  const row = metrics.find(({ id }) => id === 'cpu_at_load');
  if (row === undefined || connectionsPerTransaction === undefined) return null;
  if (tls.baseline.negotiated === null || tls.comparison.negotiated === null) return null;
  const { delta, outcome } = perConnection(row, run);
  if (delta === null || !isCertain(outcome)) return null;
  const [few, many] = requestsPerConnection.map((count) => {
    const each = delta.center / count;
    return printDifference(each, scaleFor('us', [each]));
  });
  return `${few} per request at ${requestsPerConnection[0]} requests per connection, ${many} at ${requestsPerConnection[1]}`;
}

/** `with one user, a request on an idle server +14 µs`; null where that is not certain. */
function loneOf(run: Shown): string | null {
  const lone = run.metrics.find(({ id }) => id === 'cpu_lone');
  const absolute = lone === undefined ? null : (shiftOf(lone)?.absolute ?? null);
  if (absolute === null) return null;
  // A new connection is all of it where each transaction has one.
  const noun = run.connectionsPerTransaction === 1 ? 'connection' : stepsUnitOf(run);
  return `with one user, a ${noun} on an idle server ${absolute}`;
}

/** `8 users, HTTP 0.97 cores, HTTPS 0.98`: the load, and its busy cores. Null where neither is known. */
function busyOf(run: Shown): string | null {
  const users = run.atLoad === undefined ? null : printUsers(run.atLoad.users);
  const parts = [users, busyCoresInWords(run)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
