import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import { countSchema } from '../../../shared/base/units.ts';
import { type Questions, startAskedProcess } from '../../base/process/asked-process.ts';
import { madeFor, runChildAtOnce } from '../../base/process/children.ts';
import { readProc } from '../../base/process/proc.ts';
import { detailsOf } from '../../base/text/foreign-errors.ts';
import { knownPrograms } from '../../method/tool-line.ts';
import { handshakeFailures } from '../../method/tool-verdict.ts';

const graceMs = 30_000;

/** Reaches nothing but the listener, and ends with all that it has started. */
const namespaces = ['unshare', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
const asUser = [...namespaces, '--user', '--map-root-user'];
const isRoot = process.getuid?.() === 0;

type Tool = Omit<Order, 'alone'> & {
  /** Why its command may reach another host, as a sentence; null where it cannot. */
  doubt: string | null;
};

/**
 * Runs a tool against a listener that counts. As root, or where users may make namespaces, it is alone with the listener. Elsewhere it
 * starts only where nothing in its command is in doubt. Throws tool_not_isolated, and tool_failed where it cannot be started.
 */
export async function runTool(
  { doubt, ...order }: Tool,
  signal: AbortSignal,
): Promise<Counts & { alone: boolean }> {
  const through = (isRoot ? [namespaces, asUser] : [asUser]).find(isPossible) ?? [];
  const alone = through.length > 0;
  const running = await startAskedProcess({
    script: new URL('./tool-process.ts', import.meta.url),
    ...{ questions, name: 'The process that runs the tool', code: 'tool_failed', graceMs, through },
    refused: (refusal) => problem('tool_failed', { detail: refusal.message, ...detailsOf(refusal) }),
    serialization: 'json',
    detached: true,
  });
  try {
    const asked = { ...(alone ? order : confined(order, doubt)), alone };
    return { ...(await running.ask('inspect', asked, { expectedMs: order.limitMs, signal })), alone };
  } finally {
    await running.stop();
  }
}

function isPossible([program = '', ...args]: string[]): boolean {
  return runChildAtOnce(program, [...args, 'ip', 'link', 'set', 'lo', 'up'], { timeout: 5000 }).status === 0;
}

/** The order as it may run beside everything else: its program is what its name says, and no proxy is set. Throws tool_not_isolated. */
function confined(order: Omit<Order, 'alone'>, doubt: string | null): Omit<Order, 'alone'> {
  const [program = '', ...args] = order.command;
  const path = pathOf(program, order.environment.PATH);
  if (path === null) throw problem('tool_failed', `${program} was not found.`);
  const isScript = madeFor(path) === null ? `${path} is a script, and may start anything.` : null;
  const reason = doubt ?? isScript;
  if (reason !== null) {
    const plain = `Without isolation, only a plain line of ${knownPrograms.slice(0, -1).join(', ')}, or ${knownPrograms.at(-1)} starts.`;
    throw problem('tool_not_isolated', `${reason} ${plain} ${howToIsolate()}`);
  }
  const environment = Object.entries(order.environment).filter(([name]) => !/_proxy$/i.test(name));
  return { ...order, command: [path, ...args], environment: Object.fromEntries(environment) };
}

function pathOf(program: string, path = ''): string | null {
  const places = program.includes('/') ? [program] : path.split(delimiter).map((each) => join(each, program));
  return places.find((place) => existsSync(place)) ?? null;
}

function howToIsolate(): string {
  if (process.platform !== 'linux') return 'Isolation needs Linux.';
  const missing = ['unshare', 'ip'].filter((program) => pathOf(program, process.env.PATH) === null);
  if (missing.length > 0) return `Isolation needs ${missing.join(' and ')}: install util-linux and iproute2.`;
  if (isRoot) return 'In a container, isolation needs --cap-add SYS_ADMIN.';
  const settings = restricting.filter(([name, , off]) => readProc(`/proc/sys/${name}`)?.trim() === off);
  const [name = '', on] = settings[0] ?? [];
  return settings.length === 0
    ? 'Isolation needs root, user namespaces, or in a container --cap-add SYS_ADMIN.'
    : `Isolation needs root, or user namespaces: sysctl ${name.replaceAll('/', '.')}=${on}.`;
}

/** Settings of Linux by which users may not make namespaces: the value that lets them, and the one that does not. */
const restricting = [
  ['kernel/unprivileged_userns_clone', '1', '0'],
  ['kernel/apparmor_restrict_unprivileged_userns', '0', '1'],
  ['user/max_user_namespaces', '10000', '0'],
] as const;

const orderSchema = z.strictObject({
  /** The tool and its arguments; each `here` becomes the listener's origin. */
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()),
  directory: z.string(),
  secure: z.boolean(),
  path: z.string(),
  identity: z.strictObject({ certPem: z.string(), keyPem: z.string(), caFile: z.string() }),
  limitMs: countSchema,
  /** In a network namespace of its own, whose loopback is still down. */
  alone: z.boolean(),
});
export type Order = z.infer<typeof orderSchema>;

/** Parameters that one kind of connection agreed on. */
const agreedSchema = z.strictObject({
  protocol: z.string(),
  suite: z.string(),
  connections: countSchema,
});

const countsSchema = z.strictObject({
  /** How the tool ended: `exit code 0`, `SIGKILL`. Null where the time limit ended it. */
  ended: z.string().nullable(),
  seconds: z.number(),
  connections: countSchema,
  openAtOnce: countSchema,
  /** Resumed connections among those with TLS. */
  resumed: countSchema,
  failedHandshakes: z.array(z.strictObject({ reason: z.enum(handshakeFailures), connections: countSchema })),
  agreed: z.array(agreedSchema),
  /** That the first connections agreed on keys in. */
  groups: z.array(z.string()),
  requests: countSchema,
  http10Requests: countSchema,
  http2Requests: countSchema,
  /** Requests on each connection that had one, as a median. */
  requestsPerConnection: z.number(),
  /** Connections that the tool asked to be closed after a response. */
  askedToClose: countSchema,
  /** Rates of requests, per second, while answers came at once and while each was held back; null where it ended before both were seen. */
  pace: z.strictObject({ atOnce: z.number(), heldBack: z.number(), delayMs: z.number() }).nullable(),
  /** Cores kept busy. */
  cores: z.strictObject({ tool: z.number(), busiestThread: z.number(), listener: z.number() }),
});
export type Counts = z.infer<typeof countsSchema>;

export const questions = {
  inspect: { question: orderSchema, answer: countsSchema },
} satisfies Questions;
