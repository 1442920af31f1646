import { isOver } from '../../../../shared/measurement.ts';
import type { SweepRequest } from '../../../../shared/sweep.ts';
import {
  type SweepDocument,
  type SweepFacts,
  type SweepVisit,
  sweepSchemaVersion,
} from '../../../../shared/sweep-result.ts';
import type { Frame, Kept } from '../../../measurement/kind.ts';
import { cellResult } from './cell-result.ts';
import { effectsOf } from './effects.ts';
import { levelsOf } from './levels.ts';
import { rankEffects } from './rank-effects.ts';

/** Everything that the permalink of a factor sweep shows, also while it goes on. */
export function sweepDocumentOf(
  { request, ...frame }: Frame<SweepRequest>,
  { facts, blocks: visits }: Kept<SweepFacts, SweepVisit>,
  command: string,
): SweepDocument {
  const { seed, cells, servers, warnings } = facts;
  const byCell = Map.groupBy(visits, ({ cell }) => cell);
  const effects = effectsOf(cells, visits);
  return {
    schemaVersion: sweepSchemaVersion,
    kind: 'sweep',
    ...frame,
    ...{ request, seed, servers, command, warnings, effects },
    roundsDone: Math.min(...cells.map(({ index }) => byCell.get(index)?.length ?? 0)),
    cells: cells.map((cell) => cellResult(cell, byCell.get(cell.index) ?? [])),
    // Much to compute, and nobody looks at it before the end.
    levels: isOver(frame.state) ? levelsOf(cells, visits) : [],
    ranking: rankEffects(effects, 'throughput'),
  };
}
