import type { RoundPoint, SizeRound, SizesDocument } from '../../../../shared/kinds/sizes/sizes.ts';
import { type Column, type Table, tableOf } from '../../../base/text/table.ts';

/** One row a visit: a size over an arm in a round, numbers as they were measured. */
export function visitRows(document: SizesDocument): Table {
  const suites = new Map(
    document.arms.map(({ arm, suite, negotiated }) => [arm, suite ?? negotiated?.cipher]),
  );
  const { id, load, rounds } = document;
  const visits = rounds.flatMap((round) =>
    round.points.map((point) => ({
      id,
      users: load?.users ?? 1,
      round,
      point,
      suite: suites.get(point.arm),
    })),
  );
  return tableOf(columns, visits);
}

type Visit = {
  id: string;
  /** That CPU was read under. */
  users: number;
  round: SizeRound;
  point: RoundPoint;
  suite: string | undefined;
};

const columns: Column<Visit>[] = [
  { name: 'measurement_id', read: ({ id }) => id },
  { name: 'round', read: ({ round }) => round.round },
  { name: 'launch', read: ({ round }) => round.launch },
  { name: 'size_bytes', read: ({ point }) => point.size },
  { name: 'transport', read: ({ point }) => (point.arm === 'http' ? 'http' : 'https') },
  { name: 'cipher', read: ({ suite }) => suite },
  { name: 'transactions', read: ({ point }) => point.transactions },
  { name: 'latency_p2_5_us', read: ({ point }) => point.p2_5 },
  { name: 'latency_p12_5_us', read: ({ point }) => point.p12_5 },
  { name: 'latency_median_us', read: ({ point }) => point.medianUs },
  { name: 'latency_p87_5_us', read: ({ point }) => point.p87_5 },
  { name: 'latency_p97_5_us', read: ({ point }) => point.p97_5 },
  { name: 'server_cpu_us', read: ({ point }) => point.cpuUs },
  { name: 'cpu_users', read: ({ users }) => users },
  { name: 'cpu_transactions', read: ({ point }) => point.atLoad.transactions },
  { name: 'cpu_busy_cores', read: ({ point }) => point.atLoad.busyCores },
  { name: 'aside_share', read: ({ round }) => round.asideShare },
  { name: 'host_steal_ratio', read: ({ round }) => round.machine?.stealRatio },
  { name: 'host_foreign_ratio', read: ({ round }) => round.machine?.foreignRatio },
];
