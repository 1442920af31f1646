import type { z } from 'zod';
import { createRunSchema } from '../kinds/comparison/run-request.ts';
import { preflightAnswerSchema } from '../target/preflight.ts';
import { localServersSchema } from '../target/target.ts';
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

export const targetEndpoints = {
  preflight: {
    method: 'post',
    path: '/preflight',
    access: 'operator',
    act: 'Checked a target',
    summary: 'Check a target without loading it',
    body: preflightRequestSchema,
    response: preflightAnswerSchema,
  },
  listLocalServers: {
    method: 'get',
    path: '/local-servers',
    access: 'operator',
    summary: 'Programs of this machine that answer over HTTP or HTTPS on loopback',
    response: localServersSchema,
  },
} as const satisfies Record<string, Endpoint>;
