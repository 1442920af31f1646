import { z } from 'zod';

/** Steps of one virtual user. One pass over all steps is a transaction. */

export const headerNameSchema = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'a header name is an HTTP token, such as accept');
const headerValueSchema = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a header value is one line of printable text');

/** Several values are several lines of one name. */
const headerSchema = z.union([headerValueSchema, z.array(headerValueSchema).min(1).max(20)]);

/**
 * Origin-form request target: a path and an optional query, no spaces, no control characters. A backslash, which parsers of
 * addresses take for a slash, could lead to another host. Two slashes at the beginning could too, if a parser joined them to an
 * origin: a path is joined as text (`joined-as-text.grit`).
 */
export const pathSchema = z
  .string()
  .max(4096)
  .regex(
    /^\/[\x21-\x22\x24-\x3e\x40-\x5b\x5d-\x7e]*(?:\?[\x21-\x22\x24-\x7e]*)?$/,
    'a path starts with /, has no spaces or #, and no backslash before the ?',
  );

export const methodSchema = z.enum([
  ...(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const),
  // RFC 4918 (WebDAV), 3253 (REPORT), 5323 (SEARCH).
  ...(['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'REPORT', 'SEARCH'] as const),
]);
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

/** Names of variables, as in `${name}`. They stand in paths, header values and bodies. */
const variableNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,49}$/, 'a variable is named with letters, digits and _, such as token');

const jsonPathSchema = z.string().regex(/^\$/, 'a JSON path starts with $, such as $.items[0].id').max(500);

/** Condition on a response, apart from its status; a failure is a counted error. */
export const responseCheckSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('body_contains'), text: z.string().min(1).max(1000) }),
  z.strictObject({
    type: z.literal('json_path'),
    path: jsonPathSchema,
    /** Null: something must be there, whatever it is. */
    equals: z
      .union([z.string().max(1000), z.number(), z.boolean()])
      .nullable()
      .default(null),
  }),
]);
export type ResponseCheck = z.infer<typeof responseCheckSchema>;

/** Source of a variable's value: the first match in the response. */
export const extractionSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('header'),
    variable: variableNameSchema,
    name: headerNameSchema,
    /** Its first group is the value, such as the id in a Location. Left out: the whole header. */
    pattern: z.string().min(1).max(500).optional(),
  }),
  z.strictObject({
    from: z.literal('regex'),
    variable: variableNameSchema,
    /** Its first group is the value, or the whole match when it has none. */
    pattern: z.string().min(1).max(500),
  }),
  z.strictObject({ from: z.literal('json_path'), variable: variableNameSchema, path: jsonPathSchema }),
  z.strictObject({
    from: z.literal('hidden_input'),
    variable: variableNameSchema,
    /** The `name` of the input. */
    name: z.string().min(1).max(200),
  }),
]);
export type Extraction = z.infer<typeof extractionSchema>;

/** Columns are variables; each transaction takes the next row, from the first again after the last, the same on both sides. */
const dataRowsSchema = z
  .strictObject({
    columns: z.array(variableNameSchema).min(1).max(50),
    rows: z
      .array(z.array(z.string().max(8192)))
      .min(1)
      .max(10_000),
  })
  .superRefine(({ columns, rows }, context) => {
    const odd = rows.findIndex((row) => row.length !== columns.length);
    if (odd >= 0) {
      context.addIssue({
        code: 'custom',
        path: ['rows', odd],
        message: `row ${odd + 1} has ${rows[odd]?.length} values for ${columns.length} columns`,
      });
    }
  });
export type DataRows = z.infer<typeof dataRowsSchema>;

/** Recorded answer to a step; a dry run is compared with it. */
const recordedAnswerSchema = z.strictObject({
  status: z.int().min(100).max(599),
  contentType: z.string().max(200),
  /** UTF-16 units of the decoded body; null when it was not recorded. */
  bodyLength: z.int().min(0).nullable(),
  /** Path and query of the Location header. */
  location: z.string().max(4096).nullable(),
});

export const stepSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    /** A step that is switched off stays in the scenario and is not sent. */
    enabled: z.boolean().default(true),
    method: methodSchema,
    path: pathSchema,
    headers: z.record(headerNameSchema, headerSchema).default({}),
    body: z.string().max(1_048_576).optional(),
    /** Any other status is a counted error. */
    expectStatus: z.int().min(200).max(599).default(200),
    /** Pause before the request. */
    thinkTimeMs: z.int().min(0).max(60_000).default(0),
    checks: z.array(responseCheckSchema).max(20).default([]),
    extract: z.array(extractionSchema).max(20).default([]),
    recorded: recordedAnswerSchema.optional(),
  })
  .superRefine((step, context) => {
    for (const name of Object.keys(step.headers)) {
      if ((reservedHeaders as readonly string[]).includes(name.toLowerCase())) {
        context.addIssue({
          code: 'custom',
          path: ['headers', name],
          message: `${name} is set by the generator and cannot be set by a scenario`,
        });
      }
    }
    if (step.body !== undefined && step.method === 'HEAD') {
      context.addIssue({ code: 'custom', path: ['body'], message: 'HEAD has no body' });
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
  /** Each virtual user keeps the cookies that it is given, for as long as a transaction. */
  cookies: z.boolean().default(false),
  data: dataRowsSchema.nullable().default(null),
  /** Paths that the cache section visits as pages. Empty: every GET step. */
  pages: z.array(pathSchema).max(20).default([]),
  /** Paths whose response must never come from a cache. */
  sensitivePaths: z.array(pathSchema).max(20).default([]),
});
export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;

/** The name of a secret, as in `${secret:name}`. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z_]\w{0,49}$/, 'a secret is named with letters, digits and _, such as password');

/** Values of secrets by their names. Kept in memory only, and for one run. */
export const secretValuesSchema = z.record(secretNameSchema, z.string().min(1).max(8192));
export type SecretValues = z.infer<typeof secretValuesSchema>;

/**
 * Content codings that browsers ask for and the check can compare. The same on both sides, although browsers ask for the
 * first two alone without TLS: a run compares transports, not codings.
 */
export const browserEncodings = 'gzip, deflate, br, zstd';

/**
 * A GET of each path, in this order: what is asked of a site for which nobody has made a scenario.
 *
 * @param encodings null for documents of a server of ours, which it has uncompressed
 */
export function pathScenario(
  paths: readonly [string, ...string[]],
  encodings: string | null = browserEncodings,
): Scenario {
  const headers = encodings === null ? {} : { 'accept-encoding': encodings };
  const [first, ...others] = paths;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return scenarioSchema.parse({
    name: `GET ${shorten(first, 96 - more.length)}${more}`,
    steps: paths.map((path) => ({ name: shorten(path, 100), method: 'GET', path, headers })),
  });
}

/** The paths of a scenario that was made of them; null for any other. */
export function pathsOf(scenario: Scenario): [string, ...string[]] | null {
  const [first, ...others] = scenario.steps.map(({ path }) => path);
  if (first === undefined) return null;
  const paths: [string, ...string[]] = [first, ...others];
  return JSON.stringify(pathScenario(paths)) === JSON.stringify(scenario) ? paths : null;
}

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
