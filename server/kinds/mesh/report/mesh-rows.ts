import { namesOf } from '../../../../shared/base/arms.ts';
import { type MeshArm, type MeshDocument, meshArms, meshRoles } from '../../../../shared/kinds/mesh/mesh.ts';
import type { Table } from '../../../base/text/table.ts';
import { sumOf } from '../../../method/statistics/mean.ts';

/** One row for each arm in each launch: sums over the rounds that count, and the lone request. */
export function meshRows({ id, launches, load }: MeshDocument): Table {
  const rows = launches.flatMap(({ launch, rounds, lone }) =>
    namesOf<MeshArm>(meshArms).map((arm) => {
      const kept = rounds.filter(({ aside }) => !aside).map((round) => round.arms[arm]);
      const roles = meshRoles.map((role) =>
        kept.every(({ cpuUs }) => cpuUs[role] === undefined)
          ? null
          : sumOf(kept.map(({ cpuUs }) => cpuUs[role] ?? 0)),
      );
      return [
        ...[id, launch, arm, kept.length, rounds.length - kept.length],
        ...[sumOf(kept.map(({ transactions }) => transactions)), ...roles],
        ...[load?.ratePerS ?? null, lone.groups, lone.medianUs[arm]],
      ];
    }),
  );
  return [header, ...rows];
}

const header = [
  ...['mesh_id', 'launch', 'arm', 'rounds', 'rounds_aside', 'requests'],
  ...['application_cpu_us', 'proxy_cpu_us', 'client_proxy_cpu_us'],
  ...['rate_per_s', 'lone_requests', 'lone_median_us'],
];
