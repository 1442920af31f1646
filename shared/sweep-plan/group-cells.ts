import type { SweepCell } from '../sweep.ts';
import { type ManagedTarget, managedTargetSchema } from '../target.ts';

/** Cells that the same servers can serve: everything else is the client's choice. */
export type CellGroup = { target: ManagedTarget; cells: SweepCell[] };

export function groupCells(cells: readonly SweepCell[]): CellGroup[] {
  const groups = Map.groupBy(cells, ({ settings: { server, key } }) => `${server} ${key}`);
  return [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const { server, key } = first.settings;
    const documents = [...new Set(of.map(({ settings }) => settings.document))].sort((a, b) => a - b);
    return [
      {
        target: managedTargetSchema.parse({ kind: 'managed', server, key, documents }),
        cells: of,
      },
    ];
  });
}
