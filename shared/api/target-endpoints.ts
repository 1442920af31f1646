import type { z } from 'zod';
import { preflightAnswerSchema } from '../preflight.ts';
import { probeReportSchema, probeRequestSchema } from '../probe.ts';
import type { Endpoint } from './endpoint.ts';
import { createRunSchema } from './run-endpoints.ts';

/** Looks at a target without loading it. */

export const preflightRequestSchema = createRunSchema.pick({
  target: true,
  scenario: true,
  transports: true,
  tls: true,
  connectionPolicy: true,
  secrets: true,
});
export type PreflightRequest = z.infer<typeof preflightRequestSchema>;

export const targetEndpoints = {
  preflight: {
    method: 'post',
    path: '/preflight',
    summary: 'Check a target without loading it',
    body: preflightRequestSchema,
    status: 200,
    response: preflightAnswerSchema,
  },
  probe: {
    method: 'post',
    path: '/probe',
    summary: 'Connect to a target and reconnect with its session: what is negotiated, and whether it resumes',
    body: probeRequestSchema,
    status: 200,
    response: probeReportSchema,
  },
} as const satisfies Record<string, Endpoint>;
