import { capitalized } from '../../../shared/base/cut.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { type BySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import type { Metric } from '../../../shared/kinds/comparison/metric.ts';
import type { CpuCheck, Launch } from '../../../shared/kinds/comparison/run.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import type { PreflightReport } from '../../../shared/target/preflight.ts';
import type { RemoteReadings } from '../../../shared/target/readings.ts';
import type { Permit } from '../../../shared/target/target.ts';
import { pointInWords } from '../../../shared/words/side-words.ts';
import { median } from '../../method/statistics/intervals.ts';
import { meanOf, sumOf } from '../../method/statistics/mean.ts';
import { fewestSamples } from '../../method/statistics/pool-runs.ts';
import { blocksAtPointOf, type ComparedMetric, isSpoiled } from './compared-metric.ts';

/**
 * Why a metric must not be compared, in sentences; empty when it may be. Each gate belongs to its metric, and says nothing
 * of the others.
 */
export function refusalsOf(
  metric: Metric,
  compared: ComparedMetric,
  blocks: readonly Block[],
  plan: Plan,
  { readings, loaded = null, checked = null }: Known = {},
): string[] {
  if (compared.blocks.length === 0) return [whyAbsent(metric, blocks, plan, { readings, checked })];
  const sentence = gateOf(metric, compared, loaded) ?? tooFewForInterval(compared);
  return sentence === null ? [] : [sentence];
}

/** Why what was measured of a metric must not be compared, in a sentence; null when it may be. */
export function gateOf(metric: Metric, { blocks }: ComparedMetric, loaded: Loaded | null): string | null {
  return tooFewForTail(metric, blocks) ?? serverWasNotLimit(metric, blocks, loaded);
}

/** Other facts of a run. */
export type Known = {
  readings?: RemoteReadings | undefined;
  loaded?: Loaded | null | undefined;
  /** Results of the checks before the run, and names of the sides. */
  checked?: { sides: PreflightReport['sides']; labels: BySide<string> } | null | undefined;
};

/** Cores and labels that the check for a busy server needs. */
export type Loaded = {
  /** Cores that its processes may run on; null if unknown. */
  cores: number | null;
  labels: BySide<string>;
};

/** Transactions a side that a 99th percentile must rest on: ten beyond it. */
const transactionsForP99 = 1000;

/** Counts each arm per unit that is read: per launch, or per block of the only one. */
function tooFewForTail({ id }: Metric, blocks: readonly Block[]): string | null {
  if (id !== 'latency_p99') return null;
  const launches = new Set(blocks.map(({ launch }) => launch)).size;
  const units = Map.groupBy(blocks, ({ launch, index }) => (launches > 1 ? launch : index));
  const counts = [...units.values()].flatMap((of) =>
    [
      ...Map.groupBy(
        of.flatMap((block) => block.slots),
        ({ arm }) => arm,
      ).values(),
    ].map((slots) => sumOf(slots.map(({ load }) => load.latencyUs.count))),
  );
  const count = Math.min(...counts);
  if (count >= transactionsForP99) return null;
  const where = launches > 1 ? 'in each start' : 'in each part of the run';
  return `A 99th percentile needs ${printNumber(transactionsForP99, 0)} transactions per side ${where}, but there were only ${printNumber(count, 0)}. Measure longer.`;
}

/** Share of its usable cores. If a server uses less, something else limits the throughput. */
const saturated = 0.9;
const saturatedGenerator = 0.95;

function serverWasNotLimit(
  { group }: Metric,
  blocks: readonly Block[],
  loaded: Loaded | null,
): string | null {
  if (group !== 'throughput') return null;
  const slots = blocks.flatMap((block) => block.slots);
  const sides = sideNames.map((side) =>
    useOf(
      slots.filter(({ arm }) => arm === side),
      loaded,
    ),
  );
  const [baseline, comparison] = sides;
  if (loaded === null || baseline == null || comparison == null) return generatorWasLimit(slots);
  if (sides.every((use) => use !== null && use.busy >= saturated * use.most)) return null;
  const { labels } = loaded;
  const most = Math.max(baseline.most, comparison.most);
  const cores = `${printNumber(most, Number.isInteger(most) ? 0 : 1)} ${most === 1 ? 'core' : 'cores'}`;
  return `The server was not busy on both sides, so this is not its throughput: of ${cores} that it can use, ${labels.baseline} used ${printNumber(baseline.busy, 2)} and ${labels.comparison} ${printNumber(comparison.busy, 2)}. Compare CPU, or try more users (--users) or generator processes (--generators).`;
}

/** Busy cores of a side, and how many it can use: at most the cores it may run on and its busy threads. Null if either is unknown. */
function useOf(slots: readonly Slot[], loaded: Loaded | null): { busy: number; most: number } | null {
  const cpuUs = slots.map(({ target }) => target?.busiestUs ?? target?.cpuUs ?? null);
  if (slots.length === 0 || cpuUs.includes(null)) return null;
  if (slots.some(({ target }) => target?.busiestUs !== undefined)) return ofBusiestProgram(slots);
  const threads = Math.max(0, ...slots.map(({ target }) => target?.busyThreads ?? 0));
  const limits = [loaded?.cores ?? null, threads || null].filter((limit) => limit !== null);
  if (limits.length === 0) return null;
  const busy = sumOf(cpuUs.map((us) => us ?? 0)) / sumOf(slots.map(({ load }) => load.elapsedUs));
  return { busy, most: Math.min(...limits) * (1 - othersIn(slots)) };
}

/** Cores that a program uses less than this of above a whole number are its runtime's, not one more that serves. */
const smallPart = 0.15;

/** Cores of the busiest of several programs, whose threads are not read: it can use the whole cores that it is about to fill. */
function ofBusiestProgram(slots: readonly Slot[]): { busy: number; most: number } {
  const usedUs = sumOf(slots.map(({ target }) => target?.busiestUs ?? 0));
  const busy = usedUs / sumOf(slots.map(({ load }) => load.elapsedUs));
  return { busy, most: Math.max(1, Math.ceil(busy - smallPart)) * (1 - othersIn(slots)) };
}

/** Share of the machine that the hypervisor and other programs took, which no side could use. */
function othersIn(slots: readonly Slot[]): number {
  const shares = slots.flatMap(({ host }) => (host === null ? [] : [host.stealRatio + host.foreignRatio]));
  return shares.length === 0 ? 0 : Math.min(mostOthers, meanOf(shares));
}

const mostOthers = 0.9;

/** The only available check if the server's CPU or cores cannot be read. */
function generatorWasLimit(slots: readonly Slot[]): string | null {
  const busiest = median(slots.map(({ load }) => load.generatorBusiestUs / load.elapsedUs));
  return busiest <= saturatedGenerator
    ? null
    : 'The load generator was the limit, so this is not the throughput of the server. Compare CPU, or use more generator processes (--generators).';
}

function tooFewForInterval({ shift, tooFewSamples, row: { pairs } }: ComparedMetric): string | null {
  const samples = pairs.filter(({ aside }) => aside !== true).length;
  if (tooFewSamples !== null) {
    const held = tooFewSamples === 1 ? 'There is one sample' : `There are ${tooFewSamples} samples`;
    return `${held} of this metric. An outcome needs ${fewestSamples}. Measure longer.`;
  }
  if (shift !== null) return null;
  const often = samples === 1 ? 'only once' : `only ${samples} times, in one start`;
  return `Measured ${often}, so there is no interval. Measure longer.`;
}

/** Why the target cannot be read. */
function whyUnread({ group }: Metric, { by, refused }: RemoteReadings): string | null {
  if (group === 'disk' && by === 'prometheus')
    return 'Not measured: the exporter is asked for CPU and memory only.';
  return group === 'CPU' || group === 'memory' ? (refused ?? null) : null;
}

/** Why no run against another host has the metric. */
function whyAbsentElsewhere({ group }: Metric, { host, caps }: Permit, isRead: boolean): string | null {
  if (!isRead && (group === 'CPU' || group === 'memory' || group === 'disk')) {
    return 'Not measured: the target’s host has no agent.';
  }
  if (group !== 'throughput') return null;
  return `Not measured: ${host} is another host, which takes at most ${caps.requestsPerS} requests per second.`;
}

function whyAbsent(
  metric: Metric,
  blocks: readonly Block[],
  plan: Plan,
  { readings, checked }: Pick<Known, 'readings' | 'checked'>,
): string {
  const { id, group, points } = metric;
  const unread = readings === undefined ? null : whyUnread(metric, readings);
  if (unread !== null) return unread;
  const absentThere =
    plan.permit === undefined ? null : whyAbsentElsewhere(metric, plan.permit, readings !== undefined);
  if (absentThere !== null) return absentThere;
  const there = blocksAtPointOf(metric, blocks);
  const [point] = points;
  if (there.length === 0) {
    return points.length === 1 && point !== undefined
      ? `Nothing was measured ${pointInWords[point]}.`
      : 'Nothing was measured.';
  }
  const reasons = there.flatMap((block) => (isSpoiled(metric, block) ? block.reasons : []));
  const spoiled = reasons.find(({ spoils }) => spoils === 'all' || spoils === group);
  if (there.every((block) => isSpoiled(metric, block)) && spoiled !== undefined) {
    return `All measurements of it were discarded. ${spoiled.message}`;
  }
  const slots = there.flatMap((block) => (isSpoiled(metric, block) ? [] : block.slots));
  if (slots.every(({ load }) => load.succeeded === 0)) return 'No transaction succeeded.';
  if (id === 'execution_time') return whyNoExecutionTime(slots, checked ?? null);
  if (group === 'CPU' || group === 'memory' || group === 'disk') return whyNoResources(metric, slots);
  return 'This metric was not measured on both sides.';
}

function whyNoExecutionTime(slots: readonly Slot[], checked: Known['checked'] | null): string {
  const timesOf = (side: SideName) =>
    slots.flatMap(({ arm, load }) => (arm === side ? (load.executionTimeUs ?? []) : []));
  const silent = sideNames.filter((side) => timesOf(side).length === 0);
  if (silent.length === 0)
    return 'Server-Timing reports app;dur as 0 throughout, and nothing can be compared with 0. Send it with more decimals.';
  const facts = silent.map((side) => {
    const name = silent.length === 2 ? 'the application' : (checked?.labels[side] ?? side);
    const timed = checked?.sides[side].responses.filter(({ serverTiming }) => serverTiming) ?? [];
    if (timed.length === 0) return `${name} sends no Server-Timing header`;
    const other = timed.find(({ otherTiming }) => otherTiming !== undefined)?.otherTiming;
    return other === undefined
      ? `${name} sent Server-Timing with app;dur to the check before the run, but not under load`
      : `${name} sends “Server-Timing: ${other}”, which contains no metric app with a dur that is a time`;
  });
  const told = capitalized([...new Set(facts)].join('; '));
  return `${told}. The application’s own time was not measured. It is read from a header such as “Server-Timing: app;dur=12.3”.`;
}

function whyNoResources({ group }: Metric, slots: readonly Slot[]): string {
  const read = slots.filter(({ target }) => target !== null);
  if (read.length === 0)
    return 'The target’s process was not found or cannot be read, so its resources were not measured. Run TLS Toll on its machine and give its process ID.';
  const unread = sideNames.filter((side) => !read.some(({ arm }) => arm === side));
  if (unread.length > 0)
    return `The process of the ${unread[0]} side was not found or cannot be read, so there is nothing to compare. Give its process ID.`;
  if (group === 'disk' && read.some(({ target }) => target?.diskReadBytes === null))
    return 'The process was read, but the kernel does not show its disk use to other users. Run TLS Toll as the user of the target, or as root.';
  if (group === 'CPU' && read.some(({ target }) => target?.cpuUs === 0))
    return 'The process was read, but it used no CPU for seconds under load. Give the process ID of the program that serves the requests.';
  return 'The process was read, but this metric was not measured on both sides.';
}

type Launches = readonly Pick<Launch, 'cpuCheck'>[];

/**
 * Why CPU of a run must not be compared, in a sentence; null when it may be. Two counts of the kernel have to agree over every
 * launch and over all of them: its CPU clocks, which the figures come from, and its ticks, which lose nothing of
 * processes and threads that have ended.
 */
export function refusalOfCpu(launches: Launches): string | null {
  const launchChecks = launches.map(({ cpuCheck = [] }) => cpuCheck);
  const checks = launchChecks.flat();
  const trees = [...Map.groupBy(checks, ({ arms }) => arms.join()).values()];
  return (
    lost(checks) ?? readBetweenTurns(trees) ?? disagreement([...checks.map((check) => [check]), ...trees])
  );
}

/** Sentences on coarse readings of a run's CPU. */
export function warningsOfCpu(launches: Launches): string[] {
  const checks = launches.flatMap(({ cpuCheck = [] }) => cpuCheck);
  const noClock = checks.find((check) => check.noClock !== undefined)?.noClock;
  const ofChildren = checks.some((check) => check.childrenUs > toleranceUs([check]));
  return [
    ...(noClock === undefined
      ? []
      : [`CPU was read in steps of 10 ms, so intervals are wider than they have to be: ${noClock}.`]),
    ...(ofChildren ? ['The server uses short-lived processes. Their CPU is known only to 10 ms.'] : []),
  ];
}

function lost(checks: readonly CpuCheck[]): string | null {
  const isLost = checks.some(({ unwaited = 0 }) => unwaited > 0);
  return isLost
    ? 'CPU is not measured: the server uses short-lived processes, such as one per connection, and does not wait for them, so the kernel does not report their CPU.'
    : null;
}

/** Arms that share a tree are read at every switch between them, and a tick is longer than a turn. */
function readBetweenTurns(trees: readonly CpuCheck[][]): string | null {
  const isShared = trees.some(([check]) => check !== undefined && check.arms.length > 1);
  if (!isShared) return null;
  for (const checks of trees) {
    const childrenUs = sumOf(checks.map((check) => check.childrenUs));
    if (childrenUs > toleranceUs(checks)) {
      const wholeUs = sumOf(checks.map((check) => check.tickUs));
      return `CPU is not measured: the server uses short-lived processes, such as one per connection, which used ${ms(childrenUs)} of its ${ms(wholeUs)} between two readings. Give each side and the control its own server.`;
    }
  }
  const noClock = trees.flat().find((check) => check.noClock !== undefined)?.noClock;
  if (noClock === undefined) return null;
  return `CPU is not measured: one server process serves several addresses, so it has to be read at every turn, and that is only possible in steps of 10 ms here: ${noClock}.`;
}

/** @param groups each is judged as a whole */
function disagreement(groups: readonly (readonly CpuCheck[])[]): string | null {
  for (const checks of groups) {
    const clockUs = sumOf(checks.map((check) => check.clockUs + check.childrenUs));
    const tickUs = sumOf(checks.map((check) => check.tickUs));
    if (Math.abs(clockUs - tickUs) > toleranceUs(checks) + 0.01 * Math.max(clockUs, tickUs)) {
      return `Two counts of the server’s CPU disagree: ${ms(clockUs)} by its clock, ${ms(tickUs)} by the kernel’s ticks.`;
    }
  }
  return null;
}

const tickUs = 10_000;

/** User and system time are each cut to whole ticks, at both ends of a launch, in every process. */
function toleranceUs(checks: readonly CpuCheck[]): number {
  return sumOf(checks.map(({ processes }) => 2 * tickUs * Math.max(1, processes)));
}

function ms(us: number): string {
  return `${printNumber(us / 1000, 0)} ms`;
}
