import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import type { Endpoint } from './endpoint.ts';

/** Several results as one page to hand on. */

export const mostResults = 20;

const idsSchema = z
  .string('give the IDs of results, with commas between them')
  .max(1000)
  .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
  .pipe(
    z
      .array(permalinkIdSchema)
      .min(1, 'give the ID of a result')
      .max(mostResults, `give at most ${mostResults} results`),
  );

export const reportEndpoints = {
  saveReport: {
    method: 'get',
    path: '/report',
    access: 'link',
    summary: `Save up to ${mostResults} finished results as one HTML file with a title page`,
    query: z.strictObject({
      /** Of results, with commas between them, in the order of the file. */
      ids: idsSchema,
      /** On the title page. */
      title: z.string().trim().max(200).default(''),
    }),
    response: 'text',
  },
} as const satisfies Record<string, Endpoint>;
