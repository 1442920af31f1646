import { type ManagedTarget, managedTargetSchema } from '../../../target/target.ts';
import type { ServersCell } from '../servers.ts';

/** Cells that the same servers can serve: everything else is the client's choice. */
export type CellGroup = { target: ManagedTarget; cells: ServersCell[] };

export function groupCells(cells: readonly ServersCell[]): CellGroup[] {
  const groups = Map.groupBy(cells, ({ settings: { server, key, clientCertificates, kTls } }) =>
    [server, key, clientCertificates, kTls].join(' '),
  );
  return [...groups.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const { server, key, clientCertificates, kTls } = first.settings;
    const documents = [...new Set(of.map(({ settings }) => settings.document))].sort((a, b) => a - b);
    return [
      {
        target: managedTargetSchema.parse({
          kind: 'managed',
          server,
          key,
          clientCertificates,
          kTls,
          documents,
        }),
        cells: of,
      },
    ];
  });
}
