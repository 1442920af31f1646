import { z } from 'zod';

/** What one virtual user does. One pass over all steps is a transaction. */

const headerNameSchema = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'a header name is an HTTP token, such as accept');
const headerValueSchema = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a header value is one line of printable text');

/** Origin-form request target: a path and an optional query, no spaces, no control characters. */
export const pathSchema = z
  .string()
  .max(4096)
  .regex(/^\/(?!\/)[\x21-\x22\x24-\x7e]*$/, 'a path starts with one / and holds no spaces and no #');

export const methodSchema = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
export type Method = z.infer<typeof methodSchema>;

/** Headers that the generator writes itself; a scenario that sets them would break the framing or the pairing. */
export const reservedHeaders = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
] as const;

export const stepSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    method: methodSchema,
    path: pathSchema,
    headers: z.record(headerNameSchema, headerValueSchema).default({}),
    body: z.string().max(1_048_576).optional(),
    /** Any other status is a counted error. */
    expectStatus: z.int().min(200).max(599).default(200),
  })
  .superRefine((step, context) => {
    for (const name of Object.keys(step.headers)) {
      if ((reservedHeaders as readonly string[]).includes(name.toLowerCase())) {
        context.addIssue({
          code: 'custom',
          path: ['headers', name],
          message: `${name} is written by the generator and cannot be set by a scenario`,
        });
      }
    }
    if (step.body !== undefined && (step.method === 'GET' || step.method === 'HEAD')) {
      context.addIssue({ code: 'custom', path: ['body'], message: `${step.method} carries no body` });
    }
  });
export type Step = z.infer<typeof stepSchema>;

export const scenarioSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$|^[0-9A-Za-z]{22}$/)
    .optional(),
  name: z.string().trim().min(1).max(100),
  description: z.string().max(1000).default(''),
  steps: z.array(stepSchema).min(1).max(50),
  /** Paths that the cache section visits as pages. Empty: every GET step. */
  pages: z.array(pathSchema).max(20).default([]),
  /** Paths whose response must never come from a cache. */
  sensitivePaths: z.array(pathSchema).max(20).default([]),
});
export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;
