import { isOver } from '../../shared/measurement.ts';
import { problem } from '../../shared/problem.ts';
import type { SweepRequest } from '../../shared/sweep.ts';
import type { CellDocument, SweepFacts, SweepVisit } from '../../shared/sweep-result.ts';
import { cellDocumentOf } from '../kinds/sweep/report/cell-document.ts';
import type { Frame, Kept } from '../measurement/kind.ts';
import type { Measurements } from '../measurement/measurements.ts';

/** One cell of a sweep, from its stored visits. Throws run_not_found, run_deleted, not_found. */
export async function readCell(
  measurements: Measurements,
  id: string,
  cell: string,
): Promise<{ document: CellDocument; final: boolean }> {
  const { kind, frame, kept } = await measurements.kept(id);
  if (kind !== 'sweep') throw problem('not_found', `A measurement of ${kind} has no cells with pages.`);
  const document = cellDocumentOf(frame as Frame<SweepRequest>, kept as Kept<SweepFacts, SweepVisit>, cell);
  return { document, final: isOver(frame.state) };
}
