import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../../shared/base/units.ts';
import { programSchema } from '../../../shared/kinds/comparison/program.ts';
import { badStreamError, channelKey } from '../../base/wire/pinned-channel.ts';

/**
 * Protocol between dashboard and agent: lines of JSON over TLS 1.3. The agent greets. Each question then contains a nonce and is sealed,
 * and the answer repeats the nonce and is sealed the same way. The key of the seal is made from the token, the greeting, and this TLS
 * connection (RFC 9266), so a line is invalid on any other connection.
 */
export const agentProtocol = 2;

/** Limit of a line; the longest names programs or a dashboard's processes. */
const longestLine = 16_384;
/** Most programs besides the target, and most processes in a reading. */
export const mostPrograms = 32;
export const longestProgramName = 100;
export const longestEnding = 300;

const nonceSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const greetingSchema = z.object({
  agent: z.literal('tls-toll'),
  protocol: z.int(),
  nonce: nonceSchema,
  /** Questions that it answers a second; null from an agent of another version. */
  mostPerS: z.number().min(1).max(10_000).nullable().default(null),
  /** Whether the agent also reads other programs, and tells their names and PIDs. */
  companions: z.boolean().default(false),
});
export type Greeting = z.infer<typeof greetingSchema>;

/**
 * How much is read. `turn`: CPU, once the processes sleep. `window`: the machine as well. `edge`: everything, with
 * the processes listed anew. `curve`: CPU and memory while they work.
 */
const depths = ['turn', 'window', 'edge', 'curve'] as const;
export type Depth = (typeof depths)[number];

const pidSchema = z.int().positive();
const mostPids = 1000;

/** Questions to an agent. Only one with companions answers more than the first. Later readings cover the watched processes. */
export const agentQuestionSchema = z.union([
  z.strictObject({ nonce: nonceSchema, read: z.enum(depths) }),
  /** Watches every process but the dashboard's own, if that is on this machine. */
  z.strictObject({
    nonce: nonceSchema,
    every: z
      .strictObject({ pids: z.array(pidSchema).min(1).max(mostPids), firstStartTicks: countSchema })
      .nullable(),
  }),
  /** Asks which of these processes are tied to the target. */
  z.strictObject({ nonce: nonceSchema, tied: z.array(pidSchema).max(mostPids) }),
  /** Asks which programs these processes belong to. */
  z.strictObject({ nonce: nonceSchema, group: z.array(pidSchema).max(mostPids) }),
  /** Watches programs; nothing if there are none. */
  z.strictObject({
    nonce: nonceSchema,
    programs: z
      .array(
        z.strictObject({
          pids: programSchema.shape.pids.max(mostPids),
          startTicks: programSchema.shape.startTicks,
        }),
      )
      .max(mostPrograms),
  }),
]);
type WithoutNonce<Said> = Said extends unknown ? Omit<Said, 'nonce'> : never;
export type AgentQuestion = WithoutNonce<z.infer<typeof agentQuestionSchema>>;

const bytesSchema = countSchema.nullable();

/** On the agent's monotonic clock; CPU counts up from the beginning of the connection. */
const agentReadingSchema = z.strictObject({
  atUs: nonNegativeSchema,
  cpuUs: nonNegativeSchema,
  rssBytes: countSchema.nullable(),
  host: z
    .strictObject({
      atUs: nonNegativeSchema,
      busyUs: nonNegativeSchema,
      stealUs: nonNegativeSchema,
      cores: z.int().positive(),
      /** CPU of the agent itself. */
      agentUs: nonNegativeSchema,
      /** Says whether two readers are on one machine, and nothing else about it. */
      machine: z.string().max(64),
    })
    .nullable(),
  whole: z
    .strictObject({
      cpuTickUs: nonNegativeSchema,
      /** The same fields as in `ResourceReading`. */
      cpuChildrenUs: nonNegativeSchema.optional(),
      cpuStepUs: nonNegativeSchema.optional(),
      unwaited: countSchema.optional(),
      noClock: z.string().max(longestEnding).optional(),
      throttling: z.strictObject({ periods: countSchema, throttled: countSchema }).optional(),
      pssBytes: countSchema,
      diskReadBytes: bytesSchema,
      diskWriteBytes: bytesSchema,
      processes: countSchema,
    })
    .nullable(),
  /** CPU of watched processes besides the target; absent if none are watched. */
  others: z
    .strictObject({
      /** CPU since the previous reading, µs, by PID or by the program's place. Processes that used the least follow in later readings. */
      gainedUs: z.array(z.tuple([countSchema, countSchema])).max(mostPrograms),
      kernelUs: nonNegativeSchema,
      /** At an edge: how each program's children are read, and the place of a program that has ended. */
      children: z.array(programSchema.shape.children.unwrap().nullable()).max(mostPrograms).optional(),
      ended: countSchema.optional(),
    })
    .optional(),
});
export type AgentReading = z.infer<typeof agentReadingSchema>;

/** `ended` and `failed` keep the connection; after the others the agent closes it. */
export const agentAnswerSchema = z.union([
  z.strictObject({ nonce: nonceSchema, reading: agentReadingSchema }),
  z.strictObject({ nonce: nonceSchema, ended: z.string().max(longestEnding) }),
  /** Null if the agent cannot tell the processes from the dashboard's. */
  z.strictObject({
    nonce: nonceSchema,
    watching: z.strictObject({ stepUs: z.number().nullable() }).nullable(),
  }),
  z.strictObject({ nonce: nonceSchema, tied: z.array(pidSchema).max(mostPids) }),
  /** Programs, the target first. */
  z.strictObject({ nonce: nonceSchema, programs: z.array(programSchema).max(1 + mostPrograms) }),
]);
export type AgentAnswer = WithoutNonce<z.infer<typeof agentAnswerSchema>>;

/** Why the agent hangs up. Not sealed: who gets it may lack the token. */
export const agentProblemSchema = z.strictObject({
  refused: z.enum(['token', 'too_fast', 'not_a_question']),
});
export type AgentProblem = z.infer<typeof agentProblemSchema>['refused'];

/** Key of one connection; both ends compute the same. */
export function sealKey(token: string, { nonce }: Pick<Greeting, 'nonce'>, socket: TLSSocket): Buffer {
  return channelKey(token, `agent ${agentProtocol}`, nonce, socket);
}

/** @param from so that no question can be sent back as an answer */
export function seal(key: Buffer, from: 'dashboard' | 'agent', text: string): string {
  return `${tagOf(key, from, text).toString('hex')} ${text}`;
}

/** The text of a sealed line; null for any other. */
export function unseal(key: Buffer, from: 'dashboard' | 'agent', line: string): string | null {
  const [, tag, text] = /^([0-9a-f]{64}) (.*)$/s.exec(line) ?? [];
  if (tag === undefined || text === undefined) return null;
  return timingSafeEqual(Buffer.from(tag, 'hex'), tagOf(key, from, text)) ? text : null;
}

function tagOf(key: Buffer, from: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${from}\n${text}`).digest();
}

/** Parses a line of JSON; undefined if it is invalid. */
export function parseLine<Said>(schema: z.ZodType<Said>, line: string | null): Said | undefined {
  if (line === null) return undefined;
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Calls `onLine` with every line that a socket brings; destroys the socket of whoever sends one without an end. */
export function readLines(socket: Socket, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (!socket.destroyed) onLine(line);
    if (rest.length > longestLine) socket.destroy(badStreamError('sends a line without an end'));
  });
}
