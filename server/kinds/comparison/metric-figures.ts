import { labelsOf, type SideName } from '../../../shared/base/transport.ts';
import type { Unit } from '../../../shared/base/units.ts';
import { loadClassOf } from '../../../shared/kinds/comparison/at-load.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import type { MetricComparison } from '../../../shared/kinds/comparison/comparison.ts';
import { type Metric, metrics } from '../../../shared/kinds/comparison/metric.ts';
import { metricsHistory } from '../../../shared/kinds/comparison/metrics-history.ts';
import { namesBeside } from '../../../shared/kinds/comparison/program.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import { type FigureRow, type Figures, spreadEstimate } from '../../../shared/measurement/history-view.ts';
import type { MeasuredServer } from '../../../shared/target/target.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { serversOf, targetNameOf } from '../../../shared/words/side-words.ts';
import { type Column, type Table, tableOf } from '../../base/text/terminal.ts';
import { wideningsByName } from '../../method/statistics/precision.ts';
import { isKept } from './compared-metric.ts';

/** A row for each metric of the history in SQL. @param question its id */
export function metricFigures(document: RunDocument, question: string): Figures {
  const { target, scenario, plan, metrics, atLoad, environment, cpuOf, departed = null } = document;
  const run = {
    target: targetNameOf(askedSidesOf(document)),
    ...{ scenario: scenario.name, question, length: plan.length },
    ...spreadSide(document, 'baseline'),
    ...spreadSide(document, 'comparison'),
  };
  const load = {
    baseline_busy_cores: busyCoresOf(document, 'baseline'),
    comparison_busy_cores: busyCoresOf(document, 'comparison'),
    load_users: atLoad?.users ?? null,
    load_rate_per_s: atLoad?.ratePerS ?? null,
    load_class: atLoad === undefined ? null : loadClassOf(atLoad),
    ...{ target_kind: target.kind, machine: environment.machine ?? null },
    ...{ programs: cpuOf === undefined ? null : namesBeside(cpuOf).join(', '), departed },
  };
  const rows = metrics.map(({ id, unit, baseline, comparison, delta, ratio, outcome, ...rest }) => ({
    ...run,
    ...{ metric: id, unit },
    ...spreadEstimate('baseline', baseline),
    ...spreadEstimate('comparison', comparison),
    ...spreadEstimate('shift', delta),
    ...spreadEstimate('ratio', ratio),
    verdict: outcome,
    ...spreadPrecision(rest),
    ...load,
  }));
  return { view: metricsHistory, rows };
}

function spreadSide({ sides, tls }: RunDocument, side: SideName): FigureRow {
  const { negotiated } = tls[side];
  return {
    [`${side}_transport`]: sides[side].transport,
    [`${side}_name`]: labelsOf(sides)[side],
    [`${side}_protocol`]: negotiated?.protocol ?? null,
    [`${side}_cipher`]: negotiated?.cipher ?? null,
    [`${side}_group`]: negotiated?.group ?? null,
    [`${side}_key`]: negotiated?.key ?? null,
  };
}

function busyCoresOf({ fairness }: RunDocument, side: SideName): number | null {
  const percent = fairness?.[side].targetCpuPercent.maximum ?? null;
  return percent === null ? null : percent / 100;
}

/** Nulls where nothing was measured. */
function spreadPrecision({ precision, pairs }: Pick<MetricComparison, 'precision' | 'pairs'>): FigureRow {
  const widenings = precision === undefined ? null : wideningsByName(precision);
  return {
    samples: pairs.filter(({ aside }) => aside !== true).length,
    within_error: precision?.withinError ?? null,
    standard_error: precision?.standardError ?? null,
    degrees: precision?.degrees ?? null,
    launches_variance: precision?.launches.variance ?? null,
    launches_by_samples: precision?.launches.bySamples ?? null,
    launches_degrees: precision?.launches.degrees ?? null,
    widening_drift: widenings?.drift ?? null,
    widening_twin: widenings?.twin ?? null,
    widening_carry_over: widenings?.['carry-over'] ?? null,
  };
}

/** Configuration of each server, listener after listener; null if none was started for the run. */
export function printConfiguration(run: RunDocument): string | null {
  const { baseline, comparison } = labelsOf(run.sides);
  const names = { baseline, comparison, twin: baseline };
  const parts = serversOf(run).map((server) => printServer(server, names));
  return parts.length === 0 ? null : parts.join('\n');
}

function printServer({ files, ...software }: MeasuredServer, names: Record<string, string>): string {
  const head = `# ${softwareInWords(software)}: as measured\n`;
  const parts = files.map(
    ({ arm, name, text }) => `\n# ${name} of the ${arm} listener (${names[arm]})\n\n${text}`,
  );
  return [head, ...parts].join('');
}

/**
 * One row a slot, of kept and dropped blocks alike, numbers as they were measured. In lockstep and at the maximum a slot is
 * the sum of an arm's turns; what the table says is estimated from pairs of turns, where there are pairs.
 */
export function slotRows(document: RunDocument): Table {
  const names = labelsOf(document.sides);
  const places = document.blocks.flatMap((block) =>
    block.slots.map((slot, place) => {
      const name = names[slot.arm === 'comparison' ? 'comparison' : 'baseline'];
      return { runId: document.id, block, slot, name, number: place + 1 };
    }),
  );
  return tableOf(columns, places);
}

type Place = {
  runId: string;
  block: Block;
  slot: Slot;
  /** Label of its side. */
  name: string;
  number: number;
};

const unitNames: Record<Unit, string> = {
  'transactions/s': 'transactions_per_s',
  transactions: 'transactions',
  us: 'us',
  percent: 'percent',
  bytes: 'bytes',
  'bytes/s': 'bytes_per_s',
};

const columns: Column<Place>[] = [
  { name: 'run_id', read: ({ runId }) => runId },
  { name: 'block', read: ({ block }) => block.index },
  { name: 'launch', read: ({ block }) => block.launch },
  { name: 'epoch', read: ({ block }) => block.epoch },
  { name: 'kind', read: ({ block }) => block.kind },
  { name: 'order', read: ({ block }) => block.order },
  { name: 'kept', read: ({ block }) => isKept(block) },
  { name: 'drop_reasons', read: ({ block }) => block.reasons.map(({ code }) => code).join(' ') },
  { name: 'slot', read: ({ number }) => number },
  { name: 'arm', read: ({ slot }) => slot.arm },
  { name: 'side', read: ({ name }) => name },
  { name: 'transport', read: ({ slot }) => slot.transport },
  { name: 'started_at_ms', read: ({ slot }) => slot.startedAtMs },
  ...metrics.map((metric) => ({ name: nameOf(metric), read: ({ slot }: Place) => slot.values[metric.id] })),
  { name: 'elapsed_us', read: ({ slot }) => slot.load.elapsedUs },
  { name: 'transactions_due', read: ({ slot }) => slot.load.due },
  { name: 'transactions_started', read: ({ slot }) => slot.load.started },
  { name: 'transactions_succeeded', read: ({ slot }) => slot.load.succeeded },
  { name: 'requests', read: ({ slot }) => slot.load.requests },
  { name: 'errors', read: ({ slot }) => slot.load.errors.reduce((sum, { count }) => sum + count, 0) },
  { name: 'lateness_p99_us', read: ({ slot }) => slot.load.latenessUs.p99 },
  { name: 'latency_from_due_p99_us', read: ({ slot }) => slot.load.latencyFromDueUs.p99 },
  { name: 'connect_p50_us', read: ({ slot }) => slot.load.phases?.connectUs?.p50 },
  { name: 'tls_p50_us', read: ({ slot }) => slot.load.phases?.tlsUs?.p50 },
  { name: 'first_byte_p50_us', read: ({ slot }) => slot.load.phases?.ttfbUs?.p50 },
  { name: 'download_p50_us', read: ({ slot }) => slot.load.phases?.downloadUs?.p50 },
  { name: 'connections_opened', read: ({ slot }) => slot.load.connectionsOpened },
  { name: 'handshakes_full', read: ({ slot }) => slot.load.handshakesFull },
  { name: 'handshakes_resumed', read: ({ slot }) => slot.load.handshakesResumed },
  { name: 'renegotiations', read: ({ slot }) => slot.load.renegotiations },
  { name: 'wire_bytes_read', read: ({ slot }) => slot.load.wireBytesRead },
  { name: 'wire_bytes_written', read: ({ slot }) => slot.load.wireBytesWritten },
  { name: 'body_bytes', read: ({ slot }) => slot.load.bodyBytes },
  { name: 'generator_cpu_us', read: ({ slot }) => slot.load.generatorCpuUs },
  { name: 'target_cpu_us', read: ({ slot }) => slot.target?.cpuUs },
  { name: 'target_memory_start_bytes', read: ({ slot }) => slot.target?.memoryStartBytes },
  { name: 'target_memory_end_bytes', read: ({ slot }) => slot.target?.memoryEndBytes },
  { name: 'target_disk_read_bytes', read: ({ slot }) => slot.target?.diskReadBytes },
  { name: 'target_disk_write_bytes', read: ({ slot }) => slot.target?.diskWriteBytes },
  { name: 'host_steal_ratio', read: ({ slot }) => slot.host?.stealRatio },
  { name: 'host_foreign_ratio', read: ({ slot }) => slot.host?.foreignRatio },
];

/** The metric's id, and its unit unless the id says it: `cpu_at_load_us`, `disk_bytes_per_s`. */
function nameOf({ id, unit }: Metric): string {
  const says = unit === 'us' || unit === 'percent' ? false : id.includes(unitNames[unit]);
  return says ? id : `${id}_${unitNames[unit]}`;
}
