import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { headlineSchema } from '../measurement/measurement.ts';
import { probeReportSchema, probeRequestSchema } from '../target/probe.ts';
import type { Endpoint } from './endpoint.ts';

/** A result that came with the program, as a line of a list. */
const exampleSchema = z.strictObject({
  name: z.string(),
  /** The question that it answers; null for the evidence of claims, which the page of examples leaves out. */
  asks: z.string().nullable(),
  /** Its finding. */
  headline: headlineSchema,
  id: permalinkIdSchema,
  /** Path of its page, such as `/r/{id}`. */
  url: z.string(),
  /** Place and time of the measurement, in words. */
  measured: z.string(),
});
export type Example = z.infer<typeof exampleSchema>;

export const exampleEndpoints = {
  listExamples: {
    method: 'get',
    path: '/examples',
    access: 'reader',
    summary: 'Results that came with the program. Read each like a result of this server',
    response: z.strictObject({ examples: z.array(exampleSchema) }),
  },
} as const satisfies Record<string, Endpoint>;

/** Looks at what one address negotiates. */

export const probeEndpoints = {
  probe: {
    method: 'post',
    path: '/probe',
    access: 'operator',
    act: 'Probed a target',
    summary: 'Connect to a target and reconnect with its session: what is negotiated, and whether it resumes',
    body: probeRequestSchema,
    response: probeReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
