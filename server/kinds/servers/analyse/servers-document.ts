import type { ServersRequest } from '../../../../shared/kinds/servers/servers.ts';
import {
  type CellResult,
  type ServersDocument,
  type ServersFacts,
  type ServersVisit,
  serversSchemaVersion,
} from '../../../../shared/kinds/servers/servers-result.ts';
import { isOver } from '../../../../shared/measurement/measurement.ts';
import type { Frame, Kept } from '../../kind.ts';
import { cellResult } from './cell-result.ts';
import { effectsOf } from './effects.ts';
import { levelsOf } from './levels.ts';
import { rankEffects } from './rank-effects.ts';

/** Everything that the permalink of a sweep over servers shows, also while it goes on. */
export function serversDocumentOf(
  { request, ...frame }: Frame<ServersRequest>,
  { facts, blocks: visits }: Kept<ServersFacts, ServersVisit>,
  command: string,
): ServersDocument {
  const { seed, cells, servers, placement, warnings } = facts;
  const byCell = Map.groupBy(visits, ({ cell }) => cell);
  const effects = effectsOf(cells, visits);
  const results = cells.map((cell) => cellResult(cell, byCell.get(cell.index) ?? []));
  return {
    schemaVersion: serversSchemaVersion,
    kind: 'servers',
    ...frame,
    ...{ request, seed, servers, placement, command, effects },
    warnings: [...warnings, ...generatorWarning(results)],
    roundsDone: Math.min(...cells.map(({ index }) => byCell.get(index)?.length ?? 0)),
    cells: results,
    // Much to compute, and nobody looks at it before the end.
    levels: isOver(frame.state) ? levelsOf(cells, visits) : [],
    ranking: rankEffects(effects),
  };
}

function generatorWarning(cells: readonly CellResult[]): string[] {
  const limited = cells.filter(({ generatorLimited }) => generatorLimited).length;
  if (limited === 0) return [];
  return [
    `In ${limited} of ${cells.length} cells a request cost the load generator more CPU than the server, so requests per second are a lower bound there. Server CPU per request at load is hardly affected; the ranking uses it.`,
  ];
}
