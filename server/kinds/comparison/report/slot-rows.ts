import { labelsOf } from '../../../../shared/base/transport.ts';
import type { Unit } from '../../../../shared/base/units.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import { type Metric, metrics } from '../../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { Slot } from '../../../../shared/kinds/comparison/slot.ts';
import { type Column, type Table, tableOf } from '../../../base/text/table.ts';
import { isKept } from '../analyse/metric-blocks.ts';

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
  /** What its side is called. */
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
