import { mapEstimate } from '../base/estimate-arithmetic.ts';
import { printDifference, printQuantity, scaleFor } from '../base/quantity.ts';
import { bySide } from '../base/transport.ts';
import type { Estimate } from '../base/units.ts';
import { loadInWords } from '../kinds/comparison/at-load.ts';
import { ciOf, type MetricComparison } from '../kinds/comparison/comparison.ts';
import { linkInWords } from '../kinds/comparison/link.ts';
import type { RunDocument } from '../kinds/comparison/run.ts';
import { type Shift, scaleOf, shiftOf } from '../kinds/comparison/shift.ts';
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
  Partial<Pick<RunDocument, 'target' | 'asked'>> & {
    plan: Pick<RunDocument['plan'], 'connectionPolicy' | 'requestsPerConnection'>;
  };

/**
 * The line below a verdict: `+6.1 µs per request (14.2 → 20.3), 95 % CI +5.9 to +6.4 µs, +41 to +45 %, 5 launches, TLS 1.3, AES-256-GCM; 8 users, HTTP
 * 0.97 cores, HTTPS 0.98; a lone request on an idle server +14 µs`. For new connections, where the verdict has the amount:
 * `+26.3 % at load (118 → 149 µs), 95 % CI …; +3.1 µs per request at 10 requests per connection, +0.31 µs at 100`. Null if the metric
 * isn't printed.
 */
export function evidenceOf(run: Shown): string | null {
  const measured = measuredOf(run);
  if (measured === null) return null;
  const { tls, verdict } = run;
  const negotiated = negotiatedWords(bySide((side) => tls[side].negotiated));
  const main = [measured, ...(negotiated === null ? [] : [negotiated])].join(', ');
  const connection = verdict?.metric === 'cpu_at_load' ? connectionOf(run) : null;
  const beside =
    verdict?.metric === 'cpu_at_load'
      ? [
          programsInWords(run),
          eachRequestOf(run),
          busyOf(run),
          connection === null ? null : perRequestOf(connection, run),
          loneOf(run),
        ]
      : [];
  return joinClauses([main, connectionsAgainstPlan(run), ...beside]);
}

/** Figures, and any departure of connections from the plan: `+6.1 µs per request (14.2 → 20.3), 95 % CI +5.9 to +6.4 µs, +41 to +45 %, 5 launches`. Null where nothing is printed of the metric. */
export function foundOf(run: Shown): string | null {
  const measured = measuredOf(run);
  return measured === null ? null : joinClauses([measured, connectionsAgainstPlan(run)]);
}

function joinClauses(clauses: readonly (string | null)[]): string {
  return clauses.filter((each) => each !== null).join('; ');
}

function measuredOf(run: Shown): string | null {
  const { verdict, metrics, link } = run;
  const row = metrics.find(({ id }) => id === verdict?.metric);
  const shift = row === undefined ? null : shiftOf(row);
  if (row === undefined || shift === null) return null;
  const connection = row.id === 'cpu_at_load' ? connectionOf(run) : null;
  const amount = connection === null ? amountOf(row, shift, run) : changeOf(connection, shift, run);
  const included = row.id === 'cpu_at_load' && amount !== null ? null : handshakesIncluded(run);
  return [
    ...(amount === null ? [] : [amount]),
    `${ciOf(row)}${row.confidence === undefined ? '' : ', because it was continued,'} ${intervalsOf(connection ?? row, shift, connection !== null)}`,
    unitsInWords(row),
    ...(link === undefined ? [] : [`over ${linkInWords(link)}`]),
    ...(included === null ? [] : [`${included} per ${nounOf(run)}`]),
  ].join(', ');
}

/** In the unit and in percent: first the one of the figure before. */
function intervalsOf(row: MetricComparison, { interval }: Shift, isChangeFirst: boolean): string {
  const difference = shiftOf(row)?.absoluteInterval ?? null;
  const both = [...(difference === null ? [] : [`${difference.ends} ${difference.unit}`]), interval];
  return (isChangeFirst ? both.toReversed() : both).join(', ');
}

/** `+6.1 µs per request (14.2 → 20.3)`. */
function amountOf(row: MetricComparison, { absolute }: Shift, run: Shown): string | null {
  if (absolute === null || row.id !== 'cpu_at_load') return absolute;
  const included = handshakesIncluded(run);
  return `${absolute} per ${nounOf(run)}${included === null ? '' : `, ${included}`} (${valuesOf(row)})`;
}

/** The difference of a transaction, per request: `that is +17 µs per request`. Null for one step, and for an uncertain difference. */
function eachRequestOf({ metrics, scenario, connectionsPerTransaction }: Shown): string | null {
  const row = metrics.find(({ id }) => id === 'cpu_at_load');
  const isCertain = row !== undefined && shiftOf(row)?.absolute != null;
  if (
    !isCertain ||
    row.delta === null ||
    scenario.steps.length < 2 ||
    connectionsPerTransaction !== undefined
  )
    return null;
  const each = row.delta.center / scenario.steps.length;
  return `that is ${printDifference(each, scaleFor(row.unit, [each]))} per request`;
}

/** `+26.3 % at load (118 → 149 µs)`. */
function changeOf(row: MetricComparison, { center }: Shift, { atLoad }: Shown): string | null {
  return center === null
    ? null
    : `${center} ${loadInWords(atLoad ?? null)} (${valuesOf(row)} ${scaleOf(row).symbol})`;
}

/** `14.2 → 20.3`, in the row's unit. */
function valuesOf(row: MetricComparison): string {
  const scale = scaleOf(row);
  return [row.baseline, row.comparison]
    .map((side) => printQuantity(side?.center ?? 0, scale).replace(` ${scale.symbol}`, ''))
    .join(' → ');
}

/** CPU at load as that of one new connection; null where connections stay open. */
function connectionOf({ metrics, connectionsPerTransaction }: Shown): MetricComparison | null {
  const row = metrics.find(({ id }) => id === 'cpu_at_load');
  if (connectionsPerTransaction === undefined || row === undefined) return null;
  const part = (whole: Estimate | null) =>
    whole === null ? null : mapEstimate(whole, (each) => each / connectionsPerTransaction);
  return { ...row, baseline: part(row.baseline), comparison: part(row.comparison), delta: part(row.delta) };
}

/** Requests that many connections carry, and requests of a busy client's connections. */
const requestsPerConnection = [10, 100] as const;

/**
 * `+3.1 µs per request at 10 requests per connection, +0.31 µs at 100`. Null where the amount is not certain, and where one side has no
 * TLS: what encryption costs a request is no less for there being many.
 */
function perRequestOf(connection: MetricComparison, { tls }: Shown): string | null {
  const { delta } = connection;
  if (tls.baseline.negotiated === null || tls.comparison.negotiated === null) return null;
  if (delta === null || shiftOf(connection)?.absolute == null) return null;
  const [few, many] = requestsPerConnection.map((count) => {
    const each = delta.center / count;
    return printDifference(each, scaleFor('us', [each]));
  });
  return `${few} per request at ${requestsPerConnection[0]} requests per connection, ${many} at ${requestsPerConnection[1]}`;
}

function nounOf({ scenario }: Shown): string {
  return scenario.steps.length === 1 ? 'request' : 'transaction';
}

/** `a lone request on an idle server +14 µs`; null where that is not certain. */
function loneOf(run: Shown): string | null {
  const lone = run.metrics.find(({ id }) => id === 'cpu_lone');
  const absolute = lone === undefined ? null : (shiftOf(lone)?.absolute ?? null);
  if (absolute === null) return null;
  // A new connection is all of it where each transaction has one.
  const noun = run.connectionsPerTransaction === 1 ? 'connection' : nounOf(run);
  return `a lone ${noun} on an idle server ${absolute}`;
}

/** `8 users, HTTP 0.97 cores, HTTPS 0.98`: the load, and its busy cores. Null where neither is known. */
function busyOf(run: Shown): string | null {
  const users = run.atLoad === undefined ? null : printUsers(run.atLoad.users);
  const parts = [users, busyCoresInWords(run)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}
