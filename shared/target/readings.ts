import { z } from 'zod';
import { printQuantity, scaleFor } from '../base/quantity.ts';
import { countSchema, nonNegativeSchema, soundText } from '../base/units.ts';
import { exporterProblem, usualMetrics } from './address-problem.ts';
import { type MetricSelector, selectorProblem } from './metric-selector.ts';

/** How the CPU of a target on another host is read, and what the result says of it. */

/** Address of an agent. */
export const placeSchema = z
  .string()
  .max(300)
  .regex(
    /^(\[[0-9a-f:.]{2,45}\]|[^\s:/?#@[\]]{1,253}):([1-9]\d{0,4})$/i,
    'an agent is at HOST:PORT, such as 10.1.0.5:7301',
  );

/** Name of the secret that holds the agent's token, beside a run's other secrets. */
export const agentTokenName = 'agent_token';

/** 128 bits as `openssl rand -hex 16` prints them are 32 characters; what repeats a few is no token. */
export const agentTokenSchema = z
  .string()
  .regex(/^[\x21-\x7e]{32,512}$/, 'a token is 32 to 512 letters, digits and signs on one line')
  .refine((text) => new Set(text).size >= 8, 'the token repeats a few characters. Make it at random');

/** Address of an agent, looked up once and pinned. */
export type AgentAt = {
  address: string;
  port: number;
  /** Address as requested. */
  name: string;
  /** SHA-256 of its certificate. */
  fingerprint: string;
};

/** Source of the target's CPU readings, and its effect on the figures. */
export const readingsSchema = z.strictObject({
  by: z.enum(['agent', 'prometheus']),
  /** Address as requested. */
  at: z.string(),
  /** Whether it was the machine of the load generator after all. */
  sameMachine: z.boolean(),
  /** Time between two readings of a window. */
  everyMs: nonNegativeSchema,
  /** From the question to its answer: the median of the run. */
  roundTripUs: nonNegativeSchema,
  /** A reading was taken at most this long before or after the middle of its round trip, in 99 of 100. */
  withinUs: nonNegativeSchema,
  /** CPU that the target used from one reading to the next with no load: what an edge can be wrong by. */
  idleCpuUs: nonNegativeSchema,
  /** Transactions of a turn: more where a reading takes longer. */
  turnTransactions: countSchema,
  /** Steps of the counter, where that is not the scheduler's own. */
  stepUs: nonNegativeSchema.optional(),
  /** Whether the agent also looked for other programs that work for the requests, and read them. */
  companions: z.literal(true).optional(),
  /** Why it was not read any more, in a sentence. */
  refused: z.string().optional(),
});
export type RemoteReadings = z.infer<typeof readingsSchema>;

/** Source of the target's CPU readings, their interval, and the effect of the distance. */
export function describeReadings({
  by,
  at,
  sameMachine,
  everyMs,
  roundTripUs,
  withinUs,
  idleCpuUs,
  turnTransactions,
  stepUs,
  companions,
  refused,
}: RemoteReadings): string {
  const reader = `the ${readerNames[by]} at ${at}`;
  if (refused !== undefined) return `Server CPU was not read by ${reader}.`;
  const print = (us: number) => printQuantity(us, scaleFor('us', [us]));
  const where = sameMachine ? ' on this machine' : '';
  return [
    `CPU was read by ${reader}${where}, every ${everyMs} ms, ±${print(roundTripUs / 2)} by the round trip of ${print(roundTripUs)} (99 of 100 within ±${print(withinUs)}).`,
    `With no load the target used ${print(idleCpuUs)} of CPU between two readings${by === 'prometheus' ? ', which was subtracted' : ''}.`,
    ...(stepUs === undefined ? [] : [`The counter moves in steps of ${print(stepUs)}.`]),
    `A turn had ${turnTransactions} transactions.`,
    companions
      ? 'The agent also looked for programs on its host that work for the requests, and counts them.'
      : `The ${readerNames[by]} counts only what it was told to. Other programs that work for the requests are not looked for.`,
  ].join(' ');
}

export const readerNames: Record<RemoteReadings['by'], string> = { agent: 'agent', prometheus: 'exporter' };

/** An exporter in Prometheus' text format that knows what the target uses, where no agent may run. */

export const prometheusSourceSchema = z.strictObject({
  url: soundText(500, exporterProblem).meta({ format: 'uri' }),
  /** CPU seconds of the target's processes, counted up. */
  cpu: soundText(300, selectorProblem).default(usualMetrics.cpu),
  /** Their resident memory, in bytes. */
  memory: soundText(300, selectorProblem).default(usualMetrics.memory),
  /** Asked with a bearer token, which is the run's secret `exporter_token`. */
  bearer: z.literal(true).optional(),
});
export type PrometheusSource = z.infer<typeof prometheusSourceSchema>;

/** Name of the secret that holds the exporter's token, beside a run's other secrets. */
export const exporterTokenName = 'exporter_token';

/** Token after `Bearer`: RFC 6750, section 2.1. */
export const exporterTokenSchema = z
  .string()
  .max(8192)
  .regex(/^[\w.~+/-]+=*$/, 'a bearer token is letters, digits and -._~+/ on one line');

/** Looked up once and pinned. */
export type ExporterAt = {
  address: string;
  port: number;
  hostname: string;
  /** With its query. */
  path: string;
  secure: boolean;
  /** Whether it is asked with a token. */
  bearer: boolean;
  /** PEM of the authority to trust; null for the system's. */
  ca: string | null;
  /** Address as requested. */
  name: string;
  cpu: { selector: MetricSelector; text: string };
  memory: { selector: MetricSelector; text: string };
  mostPerS: number;
};
