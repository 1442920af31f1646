import { mapEstimate } from '../../../shared/base/estimate-arithmetic.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { printNumber, printShare } from '../../../shared/base/quantity.ts';
import { type Arm, type BySide, isEncrypted } from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import type { Plan } from '../../../shared/kinds/comparison/load-profile.ts';
import {
  type Metric,
  type MetricId,
  metricOf,
  metrics,
  primaryMetrics,
} from '../../../shared/kinds/comparison/metric.ts';
import type { Unseen } from '../../../shared/kinds/comparison/program.ts';
import type { Launch } from '../../../shared/kinds/comparison/run.ts';
import type { AskedSides } from '../../../shared/kinds/comparison/run-request.ts';
import type { RemoteReadings } from '../../../shared/target/readings.ts';
import { dropAdvice, dropCause } from '../../../shared/words/causes.ts';
import { decideOutcomes } from '../../method/statistics/outcome-decision.ts';
import { boundsOf } from '../../method/statistics/precision.ts';
import { warningOfFailures } from '../../method/statistics/windows.ts';
import {
  blocksAtPointOf,
  type ComparedMetric,
  compareMetric,
  isKept,
  isSpoiled,
  type Surroundings,
  soundBlocksOf,
  surroundingsOf,
} from './compared-metric.ts';
import { gateOf, type Known, type Loaded, refusalOfCpu, refusalsOf, warningsOfCpu } from './refusals.ts';
import { refusalOfConnections } from './run-connections.ts';

/** Above this share of blocks that cannot be compared at all, the rest is not to be trusted either. */
const mostDropped = 0.4;
/** Above this share the run is warned of. */
const manyDropped = 0.2;

/** Why a whole run is refused; null when it stands. */
function problemOfRun(
  blocks: readonly Block[],
): { code: ProblemCode; detail: string; advice: string } | null {
  const { share, count, cause } = droppedOf(blocks);
  if (share <= mostDropped) return null;
  return {
    code: cause === 'errors' ? 'target_errors' : 'too_disturbed',
    detail: `${count} were discarded (at most ${printShare(mostDropped)} may be), most of them because ${dropCause[cause]}.`,
    advice: dropAdvice[cause],
  };
}

function warningOfRun(blocks: readonly Block[]): string | null {
  const { share, count, cause } = droppedOf(blocks);
  if (share <= manyDropped || share > mostDropped) return null;
  return `${count} were discarded, most of them because ${dropCause[cause]}.`;
}

function droppedOf(blocks: readonly Block[]) {
  const dropped = blocks.filter((block) => !isKept(block));
  const reasons = dropped.flatMap((block) => block.reasons).filter(({ spoils }) => spoils === 'all');
  const causes = [...Map.groupBy(reasons, ({ code }) => code)].toSorted((a, b) => b[1].length - a[1].length);
  return {
    share: dropped.length / Math.max(1, blocks.length),
    count: `${dropped.length} of ${blocks.length} parts of the run`,
    // Nobody asks where nothing was dropped.
    cause: causes[0]?.[0] ?? 'errors',
  };
}

export type Analysis = {
  metrics: MetricComparison[];
  warnings: string[];
  /** Why the whole run is refused; null when it stands. */
  refusal: { code: ProblemCode; detail: string; advice: string } | null;
};

/** Facts about the run that its blocks do not contain. */
export type AnalysisFacts = {
  /** A run that did not finish gets its figures, and no verdict. */
  finished: boolean;
  /** The twin is a listener of its own, not the baseline's again. */
  ownTwin: boolean;
  plan: Plan;
  launches?: readonly Launch[];
  readings?: RemoteReadings | undefined;
  unseen?: Unseen | undefined;
  /** Absent if the target's cores are unknown. */
  loaded?: Loaded | undefined;
  /** The sides as requested, and their names; absent where they are not needed. */
  sides?: { asked: AskedSides; labels: BySide<string> };
  /** Null without checks. */
  checked?: Known['checked'];
  /** Other facts that intervals rest on. */
  surroundings?: Omit<Surroundings, 'all'>;
};

/** Blocks → the delta table. What spoils a block keeps it out of the metrics that it touches. */
export function analyse(blocks: readonly Block[], facts: AnalysisFacts): Analysis {
  const refusal = facts.finished ? problemOfRun(blocks) : null;
  const surroundings = surroundingsOf(blocks, facts.surroundings);
  const compared = metricsOf(facts.plan).map((metric) => {
    const of = compareMetric(metric, soundBlocksOf(metric, blocks), surroundings);
    return { metric, compared: of, refusals: refusalsFor(metric, of, blocks, facts, refusal !== null) };
  });
  const unlike = refusalOfSides(blocks, compared, facts);
  const rows = compared.map((row) =>
    unlike === null || !touchedByConnections.has(row.metric.group) || row.refusals.length > 0
      ? row
      : { ...row, refusals: [unlike] },
  );
  const decisions = decideOutcomes(
    rows.map(({ metric, compared: { shift, narrowShift, pValue, row, blocks: held }, refusals }) => ({
      ...{ metric, shift, narrowShift, pValue, refusals, measured: held.length > 0 },
      tolerance: toleranceFor(metric, row, facts.plan),
      mustCost: addsEncryption(blocks),
    })),
  );
  return {
    metrics: rows.map(({ compared: { row } }, index) => ({
      ...row,
      outcome: decisions[index]?.outcome ?? 'refused',
      reasons: decisions[index]?.reasons ?? [],
    })),
    warnings: warningsOf(blocks, facts),
    refusal,
  };
}

/** Groups of metrics that a new connection affects. */
const touchedByConnections = new Set<Metric['group']>(['CPU', 'throughput', 'latency', 'network']);

/** By the headline, the first primary metric that may be compared. */
function refusalOfSides(
  blocks: readonly Block[],
  rows: readonly { compared: ComparedMetric; refusals: readonly string[] }[],
  { finished, sides }: AnalysisFacts,
): string | null {
  if (!finished || sides === undefined) return null;
  const headlines = primaryMetrics.flatMap((id) =>
    rows.filter(({ compared, refusals }) => compared.row.id === id && refusals.length === 0),
  );
  return refusalOfConnections(blocks, headlines[0]?.compared.row as MetricComparison | undefined, sides);
}

/** Whether the comparison is the only side with TLS. */
function addsEncryption(blocks: readonly Block[]): boolean {
  const slots = blocks.flatMap((block) => block.slots);
  const isEncryptedAt = (arm: Arm) => slots.some((slot) => slot.arm === arm && isEncrypted(slot.transport));
  return isEncryptedAt('comparison') && !isEncryptedAt('baseline');
}

/** Metrics that the plan measures. */
function metricsOf(plan: Plan): Metric[] {
  return metrics.filter(({ points }) => plan.openMs !== null || points.some((point) => point !== 'steady'));
}

/**
 * The headline so far, the first primary metric that the run measures: its samples, and its half-width as a share, by what a longer run
 * narrows: without the variance between runs, and without widenings. Infinite without an interval; 0 if no primary metric can be measured,
 * so that nothing is waited for.
 */
export function lookAtHeadline(
  blocks: readonly Block[],
  known: Partial<Surroundings> = {},
): { samples: number; halfWidth: number } {
  const surroundings = surroundingsOf(blocks, { ...known, isAlone: true });
  for (const id of primaryMetrics) {
    const compared = compareWhereMeasured(metricOf(id), blocks, surroundings);
    if (compared === null) continue;
    const { precision, pairs } = compared.row;
    const samples = pairs.filter(({ aside }) => aside !== true).length;
    if (precision === undefined) return { samples, halfWidth: Number.POSITIVE_INFINITY };
    const { lo, hi } = mapEstimate(boundsOf({ ...precision, widenings: [] }), Math.exp);
    return { samples, halfWidth: (hi - lo) / 2 };
  }
  return { samples: Number.POSITIVE_INFINITY, halfWidth: 0 };
}

/** Null if the metric cannot be measured here, or would be refused. */
function compareWhereMeasured(
  metric: Metric,
  blocks: readonly Block[],
  surroundings: Surroundings,
): ComparedMetric | null {
  const there = blocksAtPointOf(metric, blocks);
  const compared = compareMetric(metric, soundBlocksOf(metric, blocks), surroundings);
  const isAbsent = compared.blocks.length === 0 && there.some((block) => !isSpoiled(metric, block));
  const isRefused = compared.blocks.length > 0 && gateOf(metric, compared, null) !== null;
  return isAbsent || isRefused ? null : compared;
}

function refusalsFor(
  metric: Metric,
  compared: ComparedMetric,
  blocks: readonly Block[],
  { finished, plan, launches = [], readings, loaded, checked, unseen }: AnalysisFacts,
  isRunRefused: boolean,
): string[] {
  if (!finished) return ['The run did not finish, so there is no conclusion.'];
  if (isRunRefused) return ['The whole run was refused.'];
  const isCpu = metric.group === 'CPU' && compared.blocks.length > 0;
  const miscounted = isCpu ? (refusalOfCpu(launches) ?? refusalOfUnseen(unseen)) : null;
  const mixed = metric.group === 'memory' && compared.blocks.length > 0 ? refusalOfMemory(launches) : null;
  const refused = miscounted ?? mixed;
  return refused === null
    ? refusalsOf(metric, compared, blocks, plan, { readings, loaded, checked })
    : [refused];
}

/** Why CPU must not be compared: a part of it is not visible from here. */
function refusalOfUnseen(unseen: Unseen | undefined): string | null {
  if (unseen === undefined || unseen.share === null) return null;
  const cores = printNumber(unseen.cores, 2);
  return `A program that is not visible from here works for the requests: while the target was loaded, ${cores} cores were busy that no process accounts for, ${printShare(unseen.share)} of what the target used. Run TLS Toll where it sees all processes, as root and outside a container, or measure the listener only (--alone).`;
}

/** Fewer cores are printed as 0.0. */
const fewestCores = 0.05;

function warningsOfUnseen(unseen: Unseen | undefined): string[] {
  if (unseen === undefined || unseen.share !== null || unseen.cores < fewestCores) return [];
  const cores = printNumber(unseen.cores, 1);
  return [
    `Programs that are not visible from here kept ${cores} cores busy during the warm-up. It cannot be told whether one of them works for the requests, such as an application in another container.`,
  ];
}

/** Why memory must not be compared: what both sides use is one figure. */
function refusalOfMemory(launches: readonly Launch[]): string | null {
  const isOne = launches.some(({ pids }) => pids.baseline != null && pids.baseline === pids.comparison);
  return isOne ? 'Both sides are served by one process, so their memory cannot be told apart.' : null;
}

/** Below these, differences of metrics without a ratio are nothing, in the metric's unit. */
const smallestDifferences: Partial<Record<MetricId, number>> = {
  memory_growth: 1e6 / 2,
  disk_bytes_per_s: 1000,
};

/** Largest value that is too small to matter in a metric: a share of a ratio, or in its unit. */
export function toleranceFor(
  { id, scale }: Metric,
  { baseline }: Pick<MetricComparison, 'baseline'>,
  plan: Plan,
): number {
  const share = plan.tolerance;
  if (scale === 'ratio') return share;
  return Math.max(smallestDifferences[id] ?? 0, share * Math.abs(baseline?.center ?? 0));
}

function warningsOf(blocks: readonly Block[], { ownTwin, launches = [], unseen }: AnalysisFacts): string[] {
  const [dropped, failures] = [warningOfRun(blocks), warningOfFailures(blocks.filter(isKept))];
  const measured = new Set(blocks.map(({ launch }) => launch)).size;
  return [
    ...(dropped === null ? [] : [dropped]),
    ...(failures === null ? [] : [failures]),
    ...(!ownTwin && blocks.length > 0
      ? [
          'The control uses the address of the first side, so it shows the noise of the machine, but not differences between two processes.',
        ]
      : []),
    ...(measured === 1
      ? [
          'The target was measured in one process. A restarted target may differ by more than the intervals show.',
        ]
      : []),
    ...warningsOfCpu(launches),
    ...warningsOfUnseen(unseen),
  ];
}
