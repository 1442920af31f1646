import { z } from 'zod';
import { requestOutcomeSchema } from '../../../shared/outcome.ts';
import { armSchema } from '../../../shared/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../../shared/units.ts';
import { doneMetric, transactionMetric } from '../../export/k6-pair-runtime.ts';

/** A line of k6's NDJSON output (`--out json`), as the script of pairs has written it. */

const ms = nonNegativeSchema;

/** Of one request: blocked (connecting and TLS included), connecting, TLS, to the first byte, download, all three of sending, in ms. */
const requestSchema = z.tuple([
  ms,
  ms,
  ms,
  ms,
  ms,
  ms,
  countSchema,
  /** What the application says it took, in ms. */
  ms.nullable(),
  /** TLS version and suite, where the request opened a connection. */
  z.tuple([z.string(), z.string()]).nullable(),
]);

const toldFields = {
  /** Since the order was taken. */
  from: ms,
  to: ms,
  requests: z.array(requestSchema),
  failure: z
    .strictObject({ step: countSchema, outcome: requestOutcomeSchema, detail: z.string() })
    .nullable(),
};
const toldSchema = z.strictObject(toldFields);

const orderSchema = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const transactionSchema = z.object({
  value: nonNegativeSchema,
  tags: z.object({ arm: armSchema }),
  metadata: z.object({ order: orderSchema, pair: z.string().max(40), told: z.string() }),
});

const doneSchema = z.object({ metadata: z.object({ order: orderSchema }) });

export type K6Request = z.infer<typeof requestSchema>;
export type Transaction = {
  type: 'transaction';
  order: number;
  arm: z.infer<typeof armSchema>;
  pair: string;
  latencyMs: number;
} & z.infer<typeof toldSchema>;
export type Sample = Transaction | { type: 'done'; order: number };

/** What a virtual user posts to the order desk, in place of samples. */
const postedSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('transaction'),
    order: countSchema,
    arm: armSchema,
    pair: z.string().max(40),
    latencyMs: nonNegativeSchema,
    ...toldFields,
  }),
  z.strictObject({ type: z.literal('done'), order: countSchema }),
]);

/** Of a line that was posted; a reason in a few words for what the script would not have. */
export function readPosted(line: string): Sample | { rubbish: string } {
  const posted = postedSchema.safeParse(parse(line));
  return posted.success ? posted.data : { rubbish: 'a line that is not one of its samples' };
}

/** Null for a sample of another metric; a reason in a few words for what k6 would not have written. */
export function readSample(line: string): Sample | null | { rubbish: string } {
  const metric = /^\{"metric":"([^"\\]{1,200})","type":"(Metric|Point)",/.exec(line);
  if (metric !== null && (metric[2] === 'Metric' || !ours.has(metric[1] ?? ''))) return null;
  const parsed = parse(line);
  const point = pointSchema.safeParse(parsed);
  if (!point.success) return { rubbish: 'a line that is not one of its samples' };
  const { metric: name, type, data } = point.data;
  if (type === 'Metric' || !ours.has(name)) return null;
  return name === doneMetric ? readDone(data) : readTransaction(data);
}

const ours = new Set([transactionMetric, doneMetric]);
const pointSchema = z.object({ metric: z.string(), type: z.enum(['Metric', 'Point']), data: z.unknown() });

function readDone(data: unknown): Sample | { rubbish: string } {
  const done = doneSchema.safeParse(data);
  return done.success
    ? { type: 'done', order: done.data.metadata.order }
    : { rubbish: 'the end of an order without its number' };
}

function readTransaction(data: unknown): Sample | { rubbish: string } {
  const transaction = transactionSchema.safeParse(data);
  if (!transaction.success) return { rubbish: 'a transaction without its arm and pair' };
  const { value, tags, metadata } = transaction.data;
  const told = toldSchema.safeParse(parse(metadata.told));
  if (!told.success) return { rubbish: 'a transaction without its times' };
  const { order, pair } = metadata;
  return { type: 'transaction', order, arm: tags.arm, pair, latencyMs: value, ...told.data };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
