import type { z } from 'zod';
import { createRunSchema } from '../kinds/comparison/run-request.ts';
import { lookupRequestSchema, lookupSchema, targetCheckSchema } from '../target/preflight.ts';
import type { Endpoint } from './endpoint.ts';

/** Looks at both sides of a target without loading it. */

export const preflightRequestSchema = createRunSchema.pick({
  target: true,
  scenario: true,
  sides: true,
  tls: true,
  connectionPolicy: true,
  secrets: true,
});
export type PreflightRequest = z.infer<typeof preflightRequestSchema>;
export type LookupRequestInput = z.input<typeof lookupRequestSchema>;

export const targetEndpoints = {
  preflight: {
    method: 'post',
    path: '/preflight',
    access: 'operator',
    act: 'Checked a target',
    summary: 'Check a target without loading it',
    body: preflightRequestSchema,
    response: targetCheckSchema,
  },
  lookUp: {
    method: 'post',
    path: '/lookup',
    access: 'operator',
    act: 'Looked up an address',
    summary:
      'Look up what answers at an address, and find its other side; without an address, list the servers of this machine',
    body: lookupRequestSchema,
    response: lookupSchema,
  },
} as const satisfies Record<string, Endpoint>;
