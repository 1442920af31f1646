import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { factorNames } from '../../../../shared/kinds/servers/servers.ts';
import {
  type CellFigures,
  type CellResult,
  type ServersDocument,
  serversMetrics,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { snakeCase } from '../../../base/text/snake-case.ts';
import { type Column, type Table, tableOf } from '../../../base/text/table.ts';

/** One row a cell: its levels, and each figure with its 95 % interval. */
export function resultRows(document: ServersDocument): Table {
  return tableOf(
    columns,
    document.cells.map((result) => ({ ...result, id: document.id })),
  );
}

type Row = CellResult & { id: string };

const units = { throughput: 'per_s', cpu: 'us', latency: 'us' };
const figures = ['http', 'https', 'ratio', 'twinRatio'] as const satisfies (keyof CellFigures)[];
const ends = ['center', 'lo', 'hi'] as const satisfies (keyof Estimate)[];

const columns: Column<Row>[] = [
  { name: 'measurement_id', read: ({ id }) => id },
  { name: 'cell', read: ({ cell }) => cell.id },
  ...factorNames.map((factor) => ({
    name: snakeCase(factor),
    read: ({ cell }: Row) => cell.settings[factor],
  })),
  { name: 'visits', read: ({ visits }) => visits },
  { name: 'error_share', read: ({ errorShare }) => errorShare },
  { name: 'failures', read: ({ failures }) => failures.join(' ') },
  ...serversMetrics.flatMap((metric) =>
    figures.flatMap((figure) =>
      ends.map((end) => ({
        name: `${metric}_${snakeCase(figure)}${figure.toLowerCase().includes('ratio') ? '' : `_${units[metric]}`}${end === 'center' ? '' : `_${end}`}`,
        read: (row: Row) => row[metric]?.[figure][end],
      })),
    ),
  ),
];
