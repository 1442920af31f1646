import { armTitles, labelsOf, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type { Unit } from '../../../shared/base/units.ts';
import { loadClassOf } from '../../../shared/kinds/comparison/at-load.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import { type Metric, metrics } from '../../../shared/kinds/comparison/metric.ts';
import { metricsHistory } from '../../../shared/kinds/comparison/metrics-history.ts';
import { namesBeside } from '../../../shared/kinds/comparison/program.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { askedSidesOf } from '../../../shared/kinds/comparison/run-request.ts';
import type { Slot } from '../../../shared/kinds/comparison/slot.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import type { MeasuredServer } from '../../../shared/target/target.ts';
import { softwareInWords } from '../../../shared/words/negotiated-words.ts';
import { serversOf, targetNameOf } from '../../../shared/words/side-words.ts';
import type { Cell, Table } from '../../base/text/terminal.ts';
import { wideningsByName } from '../../method/statistics/precision.ts';
import { figuresIn } from '../define-kind.ts';
import { isKept } from './compared-metric.ts';

/** Each metric for the history in SQL. @param question its id */
export function metricFigures(document: RunDocument, question: string): Figures {
  const { target, scenario, plan, metrics, atLoad, environment, cpuOf, departed } = document;
  const [baseline, comparison] = sideNames.map((side) => sideFigures(document, side));
  const run = {
    target: targetNameOf(askedSidesOf(document)),
    ...{ scenario: scenario.name, question, length: plan.length },
    load: atLoad && { ...atLoad, class: loadClassOf(atLoad) },
    ...{ targetKind: target.kind, machine: environment.machine },
    ...{ programs: cpuOf && namesBeside(cpuOf).join(', '), departed },
  };
  const records = metrics.map(({ id, unit, delta, ratio, outcome, precision, pairs, ...values }) => ({
    ...{ ...precision, ...run, metric: id, unit, shift: delta, ratio, verdict: outcome },
    baseline: { ...values.baseline, ...baseline },
    comparison: { ...values.comparison, ...comparison },
    samples: pairs.filter(({ aside }) => aside !== true).length,
    widening: precision && wideningsByName(precision),
  }));
  return figuresIn(metricsHistory, records);
}

function sideFigures({ sides, tls, fairness }: RunDocument, side: SideName): object {
  const percent = fairness?.[side].targetCpuPercent.maximum ?? null;
  return {
    ...tls[side].negotiated,
    ...{ transport: sides[side].transport, name: labelsOf(sides)[side] },
    busyCores: percent === null ? null : percent / 100,
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
    ({ arm, name, text }) => `\n# ${name} of the ${armTitles[arm]} (${names[arm]})\n\n${text}`,
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
  return [columns.map(({ name }) => name), ...places.map((place) => columns.map(({ read }) => read(place)))];
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

const columns: { name: string; read: (place: Place) => Cell }[] = [
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
