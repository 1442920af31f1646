import { problem } from '../../../shared/base/problem.ts';
import type { ServersCell, ServersRequest } from '../../../shared/kinds/servers/servers.ts';
import type {
  CellDocument,
  ServersFacts,
  ServersVisit,
} from '../../../shared/kinds/servers/servers-result.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { Frame } from '../../kinds/kind.ts';
import { cellDocumentOf } from '../../kinds/servers/report/cell-document.ts';
import type { KeptOf, Measurements } from '../../life/measurement/measurements.ts';

/** One cell of a sweep, from its stored visits. Throws run_not_found, run_deleted, not_found. */
export async function readCell(
  measurements: Measurements,
  id: string,
  cellId: string,
): Promise<{ document: CellDocument; final: boolean }> {
  const { kept, cell } = await findCell(measurements, id, cellId);
  const blocks = await kept.blocks(cell.index);
  const known = { facts: kept.facts as ServersFacts, blocks: blocks as ServersVisit[] };
  const document = cellDocumentOf(kept.frame as Frame<ServersRequest>, known, cellId);
  return { document, final: isOver(kept.frame.state) };
}

/** Throws as above, without reading the visits. */
export async function findCell(
  measurements: Measurements,
  id: string,
  cellId: string,
): Promise<{ kept: KeptOf; cell: ServersCell }> {
  const kept = await measurements.kept(id);
  if (kept.kind !== 'servers') {
    throw problem('not_found', `A measurement of ${kept.kind} has no cells with pages.`);
  }
  const cell = (kept.facts as ServersFacts).cells.find((each) => each.id === cellId);
  if (cell === undefined) throw problem('not_found', `The sweep has no cell ${cellId}.`);
  return { kept, cell };
}
