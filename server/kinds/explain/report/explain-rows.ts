import { sideNames } from '../../../../shared/base/transport.ts';
import { resolveSides } from '../../../../shared/kinds/comparison/side.ts';
import { costGroups } from '../../../../shared/kinds/explain/cost-groups.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import { explainedOf } from '../../../../shared/kinds/explain/explained.ts';
import type { Table } from '../../../base/text/table.ts';

/** One row for each group of each side in each launch; of instructions, for each count of each side. */
export function explainRows({ id, launches, request, instructions }: ExplainDocument): Table {
  const { baseline, comparison } = resolveSides(explainedOf(request));
  const transports = { baseline: baseline.transport, comparison: comparison.transport };
  if (instructions !== null) {
    const { parts, requests } = instructions;
    const counted = sideNames.flatMap((side) =>
      parts[side].map((count, part) => [id, side, transports[side], part, requests, count]),
    );
    return [['explain_id', 'side', 'transport', 'count', 'requests', 'instructions'], ...counted];
  }
  const rows = launches.flatMap(({ launch, sides }) =>
    sideNames.flatMap((side) => {
      const { plain, recorded, samples, groups } = sides[side];
      return costGroups.map((group) => [
        ...[id, launch, side, transports[side], group, groups[group], samples],
        ...[recorded.requests, recorded.cpuUs, plain.requests, plain.cpuUs],
      ]);
    }),
  );
  return [header, ...rows];
}

const header = [
  ...['explain_id', 'launch', 'side', 'transport', 'group', 'group_samples', 'samples'],
  ...['requests', 'cpu_us', 'requests_unrecorded', 'cpu_us_unrecorded'],
];
