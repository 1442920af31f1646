import { printNumber } from '../../../shared/base/quantity.ts';
import {
  type BySide,
  bySide,
  isEncrypted,
  type SideName,
  schemeOf,
  sideNames,
  transportFacts,
} from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { ConnectionPolicy } from '../../../shared/kinds/comparison/load-profile.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { CountedConnections, RunFacts } from '../../../shared/kinds/comparison/run.ts';
import {
  type AskedSides,
  type RunRequest,
  resolveSides,
  type Side,
} from '../../../shared/kinds/comparison/run-request.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import { connectionsAgainstPlan, nearlyAll, newPerRequest } from '../../../shared/words/precision-words.ts';
import { knownSidesOf } from '../../../shared/words/side-words.ts';
import { median } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import type { Frame } from '../kind.ts';
import { blocksAtPointOf, isKept } from './compared-metric.ts';

/** Connections as they were counted where CPU at load is read; undefined where nothing was measured there. */
export function connectionsOf(blocks: readonly Block[]): BySide<CountedConnections> | undefined {
  const slots = blocksAtPointOf(metricOf('cpu_at_load'), blocks)
    .filter(isKept)
    .flatMap((block) => block.slots);
  const counted = bySide((side): CountedConnections => {
    const loads = slots.filter(({ arm }) => arm === side).map(({ load }) => load);
    const total = (read: (load: Slot['load']) => number) => sumOf(loads.map(read));
    return {
      requests: total(({ requests }) => requests),
      transactions: total(({ succeeded }) => succeeded),
      opened: total(({ connectionsOpened }) => connectionsOpened),
      handshakesFull: total(({ handshakesFull }) => handshakesFull),
      handshakesResumed: total(({ handshakesResumed }) => handshakesResumed),
      renegotiated: total(({ renegotiations }) => renegotiations),
    };
  });
  return sideNames.every((side) => counted[side].transactions > 0) ? counted : undefined;
}

/** How connections departed from the plan so far, as a fact of the run. */
export function departureOf(
  { plan, scenario }: Pick<RunRecord, 'plan' | 'scenario'>,
  request: RunRequest,
  blocks: readonly Block[],
): Pick<RunFacts, 'departed'> {
  const connections = connectionsOf(blocks);
  const { target } = request;
  const departed = connectionsAgainstPlan({
    ...{ plan, scenario, target, asked: request, sides: knownSidesOf(request) },
    ...(connections === undefined ? {} : { connections }),
  });
  return departed === null ? {} : { departed };
}

/** Both sides keep to a whole number but for what is under way when a block begins and ends. */
const nearlyWhole = 0.1;

/**
 * How many connections each transaction opened at load, where the plan has new ones for all that is sent, or the server closed each after
 * one response; undefined where connections stay open. The two sides must agree.
 */
export function connectionsPerTransactionOf(
  { plan, scenario }: Pick<RunRecord, 'plan' | 'scenario'>,
  counted: BySide<CountedConnections> | undefined,
): number | undefined {
  const planned = plannedOf(plan.connectionPolicy, scenario.steps.length);
  if (counted === undefined) return planned;
  const isForEach = sideNames.every((side) => newPerRequest(counted[side]) > nearlyAll);
  if (planned === undefined && !isForEach) return undefined;
  const { baseline, comparison } = bySide((side) => counted[side].opened / counted[side].transactions);
  const whole = Math.round(baseline);
  const isWhole = [baseline, comparison].every((each) => Math.abs(each - whole) <= nearlyWhole * whole);
  return isWhole && whole > 0 ? whole : undefined;
}

function plannedOf(policy: ConnectionPolicy, steps: number): number | undefined {
  if (policy === 'connection-per-transaction') return 1;
  return policy === 'connection-per-request' ? steps : undefined;
}

/** Largest cost of new connections on one side alone, as a share of the headline's half-width. */
const mostOfHalfWidth = 1 / 3;

/**
 * Why the sides must not be compared: one of them opened more connections, or was asked for more handshakes, than the other, though
 * nobody wanted to know what those cost, and they are worth too much beside what is known of the headline. Null where they may be.
 */
export function refusalOfConnections(
  blocks: readonly Block[],
  headline: MetricComparison | undefined,
  { asked, labels }: { asked: AskedSides; labels: BySide<string> },
): string | null {
  const counted = connectionsOf(blocks);
  const halfWidthUs = headline === undefined ? null : halfWidthOf(headline);
  if (counted === undefined || halfWidthUs === null || mayDiffer(asked)) return null;
  const perTransaction = bySide(
    (side) => (counted[side].opened + counted[side].renegotiated) / counted[side].transactions,
  );
  const more: SideName = perTransaction.baseline > perTransaction.comparison ? 'baseline' : 'comparison';
  const extra = Math.abs(perTransaction.baseline - perTransaction.comparison);
  if (extra * costOfOne(blocks, more) <= mostOfHalfWidth * halfWidthUs) return null;
  const told = sideNames.map((side) => `${labels[side]} ${countInWords(counted[side])}`).join(', ');
  return `The sides differ in their connections, because more of them were closed on one: ${told}. The difference would be that of ${labels[more]}’s new connections. Have the servers keep them alike (keep-alive, the most requests per connection).`;
}

/** `opened 120 for 12,040 requests`. */
function countInWords({ requests, opened, renegotiated }: CountedConnections): string {
  const again = renegotiated === 0 ? '' : ` and renegotiated ${printNumber(renegotiated, 0)} times`;
  return `opened ${printNumber(opened, 0)}${again} for ${printNumber(requests, 0)} requests`;
}

/** Whether the question is about sides that may do so: another server, another version of HTTP, other handshakes. */
function mayDiffer(asked: AskedSides): boolean {
  const { baseline, comparison } = resolveSides(asked);
  const [ours, theirs] = [transportFacts[baseline.transport], transportFacts[comparison.transport]];
  if (ours.encrypted !== theirs.encrypted) return false;
  return (
    ours.httpVersion !== theirs.httpVersion ||
    baseline.tls.resumption !== comparison.tls.resumption ||
    baseline.tls.resumedShare !== comparison.tls.resumedShare ||
    serverOf(baseline) !== serverOf(comparison) ||
    closesAsAsked(baseline) !== closesAsAsked(comparison)
  );
}

/** The server was started to close each connection. */
function closesAsAsked({ target }: Side): boolean {
  return target.kind === 'managed' && target.keepAlive === false;
}

/** Its name or its address; null where both sides have the same. */
function serverOf({ target, transport }: Side): string | null {
  if (target.kind === 'managed') return target.server;
  return target.kind === 'origins' ? (target[schemeOf(transport)] ?? null) : null;
}

/** Half-width of a headline, in µs per transaction; null without an interval. */
function halfWidthOf({ id, delta, ratio, baseline }: MetricComparison): number | null {
  if (id !== 'throughput') return delta === null ? null : (delta.hi - delta.lo) / 2;
  if (ratio === null || baseline === null || baseline.center === 0) return null;
  return (((ratio.hi - ratio.lo) / 2) * 1e6) / baseline.center;
}

/** Time that a new connection took a lone user of that side, in µs. It cost the server no more. A typical time if none was measured. */
function costOfOne(blocks: readonly Block[], side: SideName): number {
  const slots = blocks.flatMap((block) => block.slots.filter(({ arm }) => arm === side));
  const timed = slots.flatMap(({ point, load: { phases } }) =>
    point === 'lockstep' && phases?.connectUs != null
      ? [phases.connectUs.p50 + (phases.tlsUs?.p50 ?? 0)]
      : [],
  );
  if (timed.length > 0) return median(timed);
  return slots.some(({ transport }) => isEncrypted(transport)) ? usualUs.tcp + usualUs.tls : usualUs.tcp;
}

/** Rounded times of a core of the 2020s with OpenSSL 3.5 and P-256. An order of magnitude decides. */
const usualUs = { tcp: 50, tls: 190 };

/** Facts about a run, without its blocks. */
export type RunRecord = Frame<RunRequest> & RunFacts;
