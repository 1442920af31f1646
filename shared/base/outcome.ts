import { z } from 'zod';
import { transportSchema } from './transport-schema.ts';

/** Outcome of one request. Everything but `ok` is an error, counted and never thrown. */
const requestOutcomeSchema = z.enum([
  'ok',
  'unexpected_status',
  'connection_refused',
  'connection_reset',
  'connection_closed_early',
  'closed_idle',
  'connect_failed',
  'timed_out',
  'malformed_response',
  'body_too_short',
  'body_too_long',
  'check_failed',
  'extraction_failed',
  'tls_failed',
  'tls_changed',
]);
export type RequestOutcome = z.infer<typeof requestOutcomeSchema>;

/** Errors that are alike, counted: "https, Search, answered 500 instead of 200: 31". */
export const errorGroupSchema = z.strictObject({
  transport: transportSchema,
  step: z.string().nullable(),
  outcome: requestOutcomeSchema,
  detail: z.string(),
  count: z.int().positive(),
});
export type ErrorGroup = z.infer<typeof errorGroupSchema>;
