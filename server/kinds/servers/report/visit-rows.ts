import { namesOf } from '../../../../shared/base/arms.ts';
import { twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import { factorNames } from '../../../../shared/kinds/servers/servers.ts';
import type { ServersDocument, ServersVisit } from '../../../../shared/kinds/servers/servers-result.ts';
import { snakeCase } from '../../../base/text/snake-case.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row for each visit to a cell and each arm of it, numbers as they were measured; one where the visit failed. */
export function serversVisitRows({ id, cells }: ServersDocument, visits: readonly ServersVisit[]): Table {
  const head = [
    ...['measurement_id', 'round', 'cell', ...factorNames.map(snakeCase)],
    ...['arm', 'transport', 'requests_per_s', 'cpu_us', 'latency_median_us', 'requests', 'errors'],
    ...['failure', 'host_steal_ratio', 'host_foreign_ratio'],
  ];
  const rows = visits.flatMap(({ round, cell: index, arms: measured, failure, machine }) => {
    const cell = cells[index]?.cell;
    const visit = [id, round, cell?.id, ...factorNames.map((factor) => cell?.settings[factor])];
    const how = [failure, machine?.stealRatio, machine?.foreignRatio];
    if (measured === null) return [[...visit, ...Array<Cell>(7).fill(null), ...how]];
    return namesOf(twoSidesAndTwin).map((arm): Cell[] => {
      const { perS, cpuUs, medianUs, requests, errors } = measured[arm];
      const transport = arm === 'comparison' ? 'https' : 'http';
      return [...visit, arm, transport, perS, cpuUs, medianUs, requests, errors, ...how];
    });
  });
  return [head, ...rows];
}
