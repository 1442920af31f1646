import { isRecord } from '../../../text/is-record.ts';
import { nameTwins } from '../../upgrade-twins.ts';

/** What costs were called before schema 10. */
const names: Record<string, string> = {
  cpu_per_transaction: 'cpu_lone',
  cpu_per_transaction_at_maximum: 'cpu_at_load',
};

export function costNameOf(id: unknown): unknown {
  return typeof id === 'string' ? (names[id] ?? id) : id;
}

export function nameKeys(record: unknown): unknown {
  if (!isRecord(record)) return record;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [names[key] ?? key, value]));
}

export function nameCostsOfBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const slots = Array.isArray(block.slots) ? block.slots : [];
  return {
    ...block,
    ratios: nameKeys(nameTwinsWithin(block.ratios)),
    slots: slots.map((slot) => (isRecord(slot) ? { ...slot, values: nameKeys(slot.values) } : slot)),
  };
}

/** A row of the delta table. */
export function nameCostsOfRow(row: unknown): unknown {
  if (!isRecord(row)) return row;
  const named = nameTwins(row);
  const list = (value: unknown) => (Array.isArray(value) ? value.map(nameTwins) : []);
  return { ...Object(named), id: costNameOf(row.id), launches: list(row.launches), pairs: list(row.pairs) };
}

/** In each value of the record. */
function nameTwinsWithin(record: unknown): unknown {
  if (!isRecord(record)) return record;
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, nameTwins(value)]));
}

/** Drift is estimated now. */
export function dropSettled(launch: unknown): unknown {
  if (!isRecord(launch) || !isRecord(launch.warmUp)) return launch;
  const { settled: _, ...warmUp } = launch.warmUp;
  return { ...launch, warmUp };
}
