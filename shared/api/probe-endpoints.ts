import { probeReportSchema, probeRequestSchema } from '../target/probe.ts';
import type { Endpoint } from './endpoint.ts';

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
