import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { factorNames } from '../../../../shared/kinds/servers/servers.ts';
import {
  type CellFigures,
  type CellResult,
  type ServersDocument,
  serversMetrics,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { snakeCase } from '../../../base/text/snake-case.ts';
import type { Cell, Table } from '../../../base/text/table.ts';

/** One row a cell: its levels, and each figure with its 95 % interval. */
export function resultRows(document: ServersDocument): Table {
  const rows = document.cells.map((result) => columns.map(({ read }) => read(document.id, result)));
  return [columns.map(({ name }) => name), ...rows];
}

type Column = { name: string; read: (id: string, result: CellResult) => Cell };

const units = { throughput: 'per_s', cpu: 'us', latency: 'us' };
const figures = ['http', 'https', 'ratio', 'twinRatio'] as const satisfies (keyof CellFigures)[];
const ends = ['center', 'lo', 'hi'] as const satisfies (keyof Estimate)[];

const columns: Column[] = [
  { name: 'measurement_id', read: (id) => id },
  { name: 'cell', read: (_, { cell }) => cell.id },
  ...factorNames.map((factor) => ({
    name: snakeCase(factor),
    read: (_: string, { cell }: CellResult) => cell.settings[factor],
  })),
  { name: 'visits', read: (_, { visits }) => visits },
  { name: 'error_share', read: (_, { errorShare }) => errorShare },
  { name: 'failures', read: (_, { failures }) => failures.join(' ') },
  ...serversMetrics.flatMap((metric) =>
    figures.flatMap((figure) =>
      ends.map((end) => ({
        name: `${metric}_${snakeCase(figure)}${figure.toLowerCase().includes('ratio') ? '' : `_${units[metric]}`}${end === 'center' ? '' : `_${end}`}`,
        read: (_: string, result: CellResult) => result[metric]?.[figure][end],
      })),
    ),
  ),
];
