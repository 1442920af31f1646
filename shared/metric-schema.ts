import { z } from 'zod';
import { explainSuccessor, metricGroups, metricIds } from './metric.ts';

/** An id that is gone is refused by the name of the one that took its place. */
export const metricIdSchema = z.enum(metricIds, {
  error: ({ input }) => (typeof input === 'string' ? explainSuccessor(input) : null) ?? undefined,
});

export const metricGroupSchema = z.enum(metricGroups);
