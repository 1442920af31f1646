import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { LabCell } from '../../shared/lab.ts';
import { problem } from '../../shared/problem.ts';
import { type Command, type Prepared, type Reply, replySchema } from './messages.ts';
import type { Turn } from './read-wire.ts';
import type { Samples } from './samples.ts';

/** The parent's end of one process of the lab. */
export type LabProcess = {
  pid: number;
  prepare(cell: LabCell): Promise<Prepared>;
  /** `turns`, when there are any, are played without TLS. */
  visit(cell: LabCell, connections: number, turns?: Turn[]): Promise<Samples>;
  listen(cell: LabCell, path: string, turns?: Turn[]): Promise<void>;
  /** Before `dial`: a session, where the cell resumes, and connections that do not count. */
  meet(cell: LabCell, path: string, connections: number, turns?: Turn[]): Promise<void>;
  dial(cell: LabCell, path: string, connections: number, turns?: Turn[]): Promise<Samples>;
  /** CPU time of each connection answered since the last count, in microseconds. */
  count(): Promise<Float64Array>;
  stop(): Promise<void>;
};

/** What the library says against a cell: a result, and no end of the measurement. */
export class Refusal extends Error {}

type Unnumbered = Command extends infer C ? (C extends Command ? Omit<C, 'call'> : never) : never;
type ReplyOf<T extends Reply['type']> = Extract<Reply, { type: T }>;
type Pending = { resolve: (reply: Reply) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** Past this a call is taken for hung: a key of 4,096 bits may take seconds, a connection of 10 MB a second. */
const graceMs = 30_000;
const msPerConnection = 2000;

/**
 * A young generation of one size, as large as it may be: garbage is collected seldom, and not more often in one cell than
 * in another.
 */
const steadyHeap = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Calls reject with a Refusal, or with the problem `lab_failed` when the process dies or hangs. */
export async function startLabProcess(): Promise<LabProcess> {
  const child = fork(new URL('./process.ts', import.meta.url), {
    execPath: process.execPath,
    execArgv: ['--disable-warning=ExperimentalWarning', ...steadyHeap],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const pending = new Map<number, Pending>();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let calls = 0;

  child.on('message', (message) => {
    const parsed = replySchema.safeParse(message);
    if (!parsed.success) return rejectAll(`gave an answer that is not one: ${z.prettifyError(parsed.error)}`);
    const waiting = take(pending, parsed.data.call);
    if (parsed.data.type === 'refused') waiting?.reject(new Refusal(parsed.data.reason));
    else waiting?.resolve(parsed.data);
  });
  child.once('exit', (code, signal) => rejectAll(`ended (${signal ?? `exit code ${code}`})`));
  await spawned(child);

  function rejectAll(what: string): void {
    for (const number of [...pending.keys()]) {
      take(pending, number)?.reject(problem('lab_failed', `The lab’s process ${what}.`));
    }
  }

  function call<T extends Reply['type']>(type: T, command: Unnumbered, expectedMs = 0): Promise<ReplyOf<T>> {
    const number = ++calls;
    return new Promise<Reply>((resolve, reject) => {
      const timer = setTimeout(() => {
        take(pending, number);
        child.kill('SIGKILL');
        reject(problem('lab_failed', 'The lab’s process did not answer in time and was ended.'));
      }, expectedMs + graceMs);
      pending.set(number, { resolve, reject, timer });
      child.send({ ...command, call: number }, (error) => {
        if (error !== null)
          take(pending, number)?.reject(problem('lab_failed', 'The lab’s process has ended.'));
      });
    }).then((reply) => {
      if (reply.type !== type)
        throw problem('lab_failed', `The lab’s process answered "${reply.type}" out of turn.`);
      return reply as ReplyOf<T>;
    });
  }

  return {
    pid: child.pid ?? 0,
    prepare: async (cell) => (await call('prepared', { type: 'prepare', cell })).prepared,
    async visit(cell, connections, turns) {
      const command = { type: 'visit', cell, connections, turns: turns ?? null } as const;
      return (await call('visited', command, connections * msPerConnection)).samples;
    },
    async listen(cell, path, turns) {
      await call('done', { type: 'listen', cell, path, turns: turns ?? null });
    },
    async meet(cell, path, connections, turns) {
      const command = { type: 'meet', cell, path, connections, turns: turns ?? null } as const;
      await call('visited', command, connections * msPerConnection);
    },
    async dial(cell, path, connections, turns) {
      const command = { type: 'dial', cell, path, connections, turns: turns ?? null } as const;
      return (await call('visited', command, connections * msPerConnection)).samples;
    },
    count: async () => (await call('counted', { type: 'count' })).cpuUs,
    async stop() {
      if (child.connected) child.disconnect();
      const killer = setTimeout(() => child.kill('SIGKILL'), 2000);
      await exited;
      clearTimeout(killer);
    },
  };
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', (error) =>
      reject(problem('lab_failed', `The lab’s process could not be started: ${error.message}.`)),
    );
  });
}

function take(pending: Map<number, Pending>, call: number): Pending | undefined {
  const waiting = pending.get(call);
  if (waiting !== undefined) clearTimeout(waiting.timer);
  pending.delete(call);
  return waiting;
}
