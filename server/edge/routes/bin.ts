import type { Router } from 'express';
import { ProblemError } from '../../../shared/base/problem.ts';
import type { BinAction, BinOutcome } from '../../../shared/measurement/bin.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** The bin, and deleting or restoring several measurements at once, each with its own token. */
export function bin(router: Router, { measurements: all }: AppParts): void {
  serve(router, 'listBin', ({ query }) => all.listBin(query));
  serve(router, 'binMeasurements', ({ body }) => each(body, all.bin));
  serve(router, 'restoreMeasurements', ({ body }) => each(body, all.restore));
  serve(router, 'removeMeasurements', ({ body }) => each(body, all.remove));
}

/** One after the other; a refused one does not stop the others. */
async function each(
  { items }: BinAction,
  act: (id: string, deleteToken: string) => Promise<unknown>,
): Promise<BinOutcome> {
  const outcome: BinOutcome = { done: [], refused: [] };
  for (const { id, deleteToken } of items) {
    try {
      await act(id, deleteToken);
      outcome.done.push(id);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.status >= 500) throw error;
      outcome.refused.push({ id, problem: error.problem });
    }
  }
  return outcome;
}
