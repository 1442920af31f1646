import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { problem } from '../../shared/problem.ts';
import type { Arm } from '../../shared/transport.ts';
import {
  type Command,
  type Configuration,
  type LoadPart,
  type Prepared,
  type Reply,
  replySchema,
  type Share,
  type SlotOptions,
} from './messages.ts';

/** The parent's end of one process of the generator. */
export type GeneratorProcess = {
  pid: number;
  configure(configuration: Configuration, share: Share): Promise<void>;
  prepare(arm: Arm): Promise<Prepared>;
  run(arm: Arm, slot: SlotOptions): Promise<LoadPart>;
  stop(): Promise<void>;
};

type Unnumbered = Command extends infer C ? (C extends Command ? Omit<C, 'call'> : never) : never;
type Pending = { resolve: (reply: Reply) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** Over the time that a call should take; past it the process is taken for hung. */
const graceMs = 15_000;

/** Calls reject with the problem `generator_failed` when the process dies or hangs. */
export async function startGeneratorProcess(): Promise<GeneratorProcess> {
  const child = fork(new URL('./generator.ts', import.meta.url), {
    execPath: process.execPath,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Counts go over as they are, not as JSON.
    serialization: 'advanced',
  });
  const pending = new Map<number, Pending>();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let calls = 0;
  let requestTimeoutMs = 0;

  child.on('message', (message) => {
    const parsed = replySchema.safeParse(message);
    if (!parsed.success) return rejectAll(`gave an answer that is not one: ${z.prettifyError(parsed.error)}`);
    const reply = parsed.data;
    const waiting = take(pending, reply.call);
    if (reply.type === 'failed')
      waiting?.reject(problem('generator_failed', `The load generator failed: ${reply.message}.`));
    else waiting?.resolve(reply);
  });
  child.once('exit', (code, signal) => rejectAll(`ended (${signal ?? `exit code ${code}`})`));
  await spawned(child);

  function rejectAll(what: string): void {
    for (const number of [...pending.keys()]) {
      take(pending, number)?.reject(problem('generator_failed', `The load generator ${what}.`));
    }
  }

  function call(command: Unnumbered, expectedMs: number): Promise<Reply> {
    const number = ++calls;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        take(pending, number);
        child.kill('SIGKILL');
        reject(problem('generator_failed', 'The load generator did not answer in time and was ended.'));
      }, expectedMs + graceMs);
      pending.set(number, { resolve, reject, timer });
      child.send({ ...command, call: number }, (error) => {
        if (error !== null)
          take(pending, number)?.reject(problem('generator_failed', 'The load generator has ended.'));
      });
    });
  }

  return {
    pid: child.pid ?? 0,
    async configure(configuration, share) {
      requestTimeoutMs = configuration.requestTimeoutMs;
      await call({ type: 'configure', configuration, share }, 0);
    },
    async prepare(arm) {
      const reply = await call({ type: 'prepare', arm }, requestTimeoutMs);
      if (reply.type !== 'prepared') throw outOfTurn(reply);
      return reply.prepared;
    },
    async run(arm, slot) {
      const reply = await call({ type: 'run', arm, slot }, slot.durationMs + requestTimeoutMs);
      if (reply.type !== 'result') throw outOfTurn(reply);
      return reply.part;
    },
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
      reject(problem('generator_failed', `The load generator could not be started: ${error.message}.`)),
    );
  });
}

function take(pending: Map<number, Pending>, call: number): Pending | undefined {
  const waiting = pending.get(call);
  if (waiting !== undefined) clearTimeout(waiting.timer);
  pending.delete(call);
  return waiting;
}

function outOfTurn(reply: Reply): Error {
  return problem('generator_failed', `The load generator answered "${reply.type}" out of turn.`);
}
