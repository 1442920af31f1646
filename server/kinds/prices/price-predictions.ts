import { excludes, mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import { bySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { LaterRun, PredictedRun, Predictions } from '../../../shared/kinds/prices/predictions.ts';
import type { PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import type { TrafficMix } from '../../../shared/kinds/prices/traffic.ts';
import { recordBytes } from '../../../shared/kinds/sizes/sizes.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { costPerRequest } from './price-bill.ts';

/** Predicts runs by a list. The bill of a run is that of its traffic as it was counted, not as it was asked for. */

/** The parts of a run that are read. */
export type MeasuredRun = Pick<
  RunDocument,
  'sides' | 'scenario' | 'preflight' | 'connections' | 'fairness' | 'metrics' | 'atLoad'
>;

type List = Pick<PricesDocument, 'cells' | 'rounds' | 'command' | 'items'>;

/** @param found of each later run of the list’s server, oldest first */
export function judgePredictions(
  list: Pick<List, 'items'>,
  found: readonly { about: LaterRun; found: Predicted | string }[],
): Omit<Predictions, 'others'> {
  const runs = found.flatMap((each) =>
    typeof each.found === 'string' ? [] : [{ ...each.about, ...each.found }],
  );
  const leftOut = found.flatMap((each) =>
    typeof each.found === 'string' ? [{ ...each.about, reason: each.found }] : [],
  );
  return { runs, leftOut, suspect: suspectOf(list, runs) };
}

/** A run beside what the list says of it. */
export type Predicted = Omit<PredictedRun, keyof LaterRun>;

/** A larger or smaller cost over HTTP is no matter of the machine’s speed: the run asks for other work than the list. */
const mostSlowness = 2;

/** Returns the reason, in a sentence, where the list cannot predict the run. */
export function predictRun(list: List, run: MeasuredRun): Predicted | string {
  const counted = countedIn(run);
  if (typeof counted === 'string') return counted;
  const { mix, measured } = counted;
  const listed = costsBy(list, mix);
  if (typeof listed === 'string') return listed;
  const idle = idleReason(list, run, mix);
  if (idle !== null) return idle;
  const slowness = measured.baseline.center / listed.baseline.center;
  if (Math.max(slowness, 1 / slowness) > mostSlowness)
    return `Its HTTP side costs ${printShare(slowness)} of what the list says, so the server does other work than the list priced.`;
  const scaled = costsBy(list, mix, measured.baseline.center);
  if (typeof scaled === 'string') return scaled;
  const { requestsPerConnection, returningShare } = mix;
  return {
    bytes: sumOf(mix.sizes.map(({ bytes, share }) => bytes * share)),
    requestsPerConnection: Number.isFinite(requestsPerConnection) ? requestsPerConnection : null,
    ...{ returningShare, measured, listed, scaled, slowness },
    agrees: agreesWith(scaled.difference, measured.difference, mostOff),
  };
}

const mostOff = 0.15;

/** Inside one of the two intervals, or near. */
export function agreesWith(predicted: Estimate, measured: Estimate, share: number): boolean {
  return (
    !excludes(measured, predicted.center) ||
    !excludes(predicted, measured.center) ||
    Math.abs(predicted.center - measured.center) <= share * Math.abs(measured.center)
  );
}

type Costs = PredictedRun['measured'];

/** @param baselineUs what HTTP is to cost in each round; null for the list as it is */
function costsBy(list: List, mix: TrafficMix, baselineUs: number | null = null): Costs | string {
  const { baseline, comparison, difference, missing } = costPerRequest(list, mix, baselineUs);
  if (baseline !== null && comparison !== null && difference !== null)
    return { baseline, comparison, difference };
  const items = missing.map(({ item, why }) => `It needs a price of ${item}, which the list lacks. ${why}`);
  return items.join(' ');
}

/** Requests on connections of either side may differ by those that are under way when a block ends. */
const mostUnlike = 0.05;
/** Bodies that vary by more have other sizes than the check of the target saw. */
const mostVarying = 0.01;

function countedIn(run: MeasuredRun): { mix: TrafficMix; measured: Costs } | string {
  const { sides, scenario, preflight, connections, fairness, metrics } = run;
  if (sides.baseline.transport !== 'http' || sides.comparison.transport !== 'https')
    return 'Its sides are not HTTP/1.1 without and with TLS, which the list priced.';
  const upload = scenario.steps.find(({ method, body }) => method !== 'GET' || body !== undefined);
  if (upload !== undefined)
    return `It sends ${upload.method} requests${upload.body === undefined ? '' : ' with a body'}, which the list has no price of.`;
  const cpu = metrics.find(({ id }) => id === 'cpu_at_load');
  if (cpu?.outcome === 'refused') return cpu.reasons.join(' ');
  if (
    connections === undefined ||
    cpu?.baseline == null ||
    cpu.comparison === null ||
    cpu.delta === null ||
    preflight === null
  )
    return 'It has no CPU at full load.';
  const responses = preflight.sides.comparison.responses;
  if (responses.some(({ contentEncoding }) => !['', 'identity'].includes(contentEncoding)))
    return 'Its responses are compressed, which the list has no price of.';
  const sum = sumOf(responses.map(({ bodyBytes }) => bodyBytes));
  const bodies = fairness?.comparison.bodyBytesPerTransaction ?? sum;
  if (responses.length === 0 || Math.abs(bodies - sum) > mostVarying * sum)
    return 'Its bodies vary in size from request to request.';
  const opened = bySide((side) => connections[side].opened / connections[side].requests);
  if (Math.abs(opened.baseline - opened.comparison) > mostUnlike * Math.max(...Object.values(opened)) + rare)
    return 'Its sides opened different numbers of connections.';
  const { handshakesFull, handshakesResumed } = connections.comparison;
  const isOpen = opened.comparison <= rare;
  const { requests, transactions } = connections.comparison;
  const perRequest = (estimate: Estimate) => mapEstimate(estimate, (us) => (us * transactions) / requests);
  return {
    mix: {
      sizes: responses.map(({ bodyBytes }) => ({ bytes: bodyBytes, share: 1 / responses.length })),
      requestsPerConnection: isOpen ? Number.POSITIVE_INFINITY : 1 / opened.comparison,
      returningShare: isOpen ? 0 : handshakesResumed / Math.max(1, handshakesFull + handshakesResumed),
    },
    measured: {
      ...{ baseline: perRequest(cpu.baseline), comparison: perRequest(cpu.comparison) },
      difference: perRequest(cpu.delta),
    },
  };
}

/** Connections per request up to which they are those that a server closes now and then. */
const rare = 1 / 2000;

/**
 * An addition holds at one load only: at half of full load, a connection costs about a tenth more. The load generator may be too slow to
 * fill the server with new connections, in the list as in the run.
 */
function idleReason(list: List, { fairness, atLoad }: MeasuredRun, mix: TrafficMix): string | null {
  if (atLoad === undefined || atLoad.ratePerS !== null) return 'It was not measured at full load.';
  for (const side of sideNames) {
    const percent = fairness?.[side].targetCpuPercent.maximum ?? null;
    const cores = coresOf(list, side, Number.isFinite(mix.requestsPerConnection));
    if (percent !== null && percent / 100 < leastLoad * cores)
      return `Its server was ${printShare(percent / 100 / cores)} as busy as during the list, which is another load. Measure both on a quiet machine.`;
  }
  return null;
}

const leastLoad = 0.6;

/** Cores that the server used during the least busy of the cells that price such connections. */
function coresOf({ cells, rounds }: List, side: SideName, opens: boolean): number {
  const asked = cells.filter(
    ({ arm, requestsPerConnection, problem }) =>
      arm === side && problem === null && (requestsPerConnection !== null) === opens,
  );
  const sums = rounds.flatMap((round) => round.cells);
  const loads = asked.map((cell) => {
    const own = sums.filter(({ id }) => id === cell.id);
    return sumOf(own.map(({ cpuUs }) => cpuUs)) / sumOf(own.map(({ elapsedUs }) => elapsedUs));
  });
  return Math.min(...loads);
}

/** With fewer runs off, any item would explain them. */
const fewestOff = 3;
/** An item that explains less is not named. */
const leastShare = 0.5;

/**
 * The item whose price, if it were another one, would bring the runs closest to the list: least squares of the misses on how often a
 * request needs the item, both as shares of the measured difference, as the runs are judged.
 */
function suspectOf({ items }: Pick<List, 'items'>, runs: readonly PredictedRun[]): Predictions['suspect'] {
  if (runs.filter(({ agrees }) => !agrees).length < fewestOff) return null;
  const needs: Record<string, (run: PredictedRun) => number> = {
    request: () => 1,
    per_16_kb: ({ bytes }) => bytes / recordBytes,
    connection: ({ requestsPerConnection: each, returningShare }) =>
      each === null ? 0 : (1 - returningShare) / each,
    resumed_connection: ({ requestsPerConnection: each, returningShare }) =>
      each === null ? 0 : returningShare / each,
  };
  const misses = runs.map(
    ({ measured, scaled }) => 1 - scaled.difference.center / measured.difference.center,
  );
  const explained = Object.entries(needs).flatMap(([id, need]) => {
    const title = items.find((item) => item.id === id)?.title;
    const needed = runs.map((run) => need(run) / run.measured.difference.center);
    const [own, both] = [sumOfProducts(needed, needed), sumOfProducts(needed, misses)];
    if (title === undefined || own === 0) return [];
    return [{ title, moreUs: both / own, share: both ** 2 / own / sumOfProducts(misses, misses) }];
  });
  const [most] = explained.toSorted((one, other) => other.share - one.share);
  return most === undefined || most.share < leastShare ? null : most;
}

function sumOfProducts(of: readonly number[], by: readonly number[]): number {
  return sumOf(of.map((value, nth) => value * (by[nth] ?? 0)));
}
