import type { Router } from 'express';
import type { BinAction, BinOutcome } from '../../shared/bin.ts';
import { ProblemError } from '../../shared/problem.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** What was deleted and can be restored; and several measurements at once, each by its own token. */
export function bin(router: Router, { measurements: all }: AppParts): void {
  serve(router, 'listBin', ({ query }) => all.listBin(query));
  serve(router, 'binMeasurements', ({ body }) => each(body, all.bin));
  serve(router, 'restoreMeasurements', ({ body }) => each(body, all.restore));
  serve(router, 'removeMeasurements', ({ body }) => each(body, all.remove));
}

/** One after the other; one that is refused keeps no other from being done. */
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
