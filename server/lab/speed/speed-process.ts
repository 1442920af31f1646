import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { problem } from '../../../shared/problem.ts';
import { type Command, type Reply, replySchema, type Timed } from './messages.ts';

/** The parent's end of a process that measures primitives. It is asked one thing at a time. */
export type SpeedProcess = {
  prepare(primitive: string, bytes: number | null): Promise<Preparation>;
  measure(primitive: string, bytes: number | null, sliceMs: number): Promise<Timed[]>;
  stop(): Promise<void>;
};

/** What the library says against it, or what an empty call costs, in microseconds, where there is one. */
export type Preparation = { refused: string } | { refused: null; emptyCallUs: number | null };

/** Old ciphers and digests are in a provider that the library loads only when it is told to. */
export type Provider = 'default' | 'legacy';

type Pending = { resolve: (reply: Reply) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** Past this a call is taken for hung: a key of 4,096 bits may take seconds to make. */
const graceMs = 30_000;
/** One call of the dearest primitive, and then some. */
const overrun = 20;

const steadyHeap = ['--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Calls reject with the problem `lab_failed` when the process dies or hangs. */
export async function startSpeedProcess(provider: Provider): Promise<SpeedProcess> {
  const child = fork(new URL('./process.ts', import.meta.url), {
    execPath: process.execPath,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      ...steadyHeap,
      ...(provider === 'legacy' ? ['--openssl-legacy-provider'] : []),
    ],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let pending: Pending | null = null;
  let calls = 0;

  child.on('message', (message) => {
    const parsed = replySchema.safeParse(message);
    if (parsed.success) take()?.resolve(parsed.data);
    else fail(`gave an answer that is not one: ${z.prettifyError(parsed.error)}`);
  });
  child.once('exit', (code, signal) => fail(`ended (${signal ?? `exit code ${code}`})`));
  await spawned(child);

  function take(): Pending | null {
    const waiting = pending;
    pending = null;
    if (waiting !== null) clearTimeout(waiting.timer);
    return waiting;
  }

  function fail(what: string): void {
    take()?.reject(problem('lab_failed', `The process that measures primitives ${what}.`));
  }

  function call(command: Command, expectedMs: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail('did not answer in time and was ended');
      }, expectedMs + graceMs);
      pending = { resolve, reject, timer };
      child.send(command, (error) => {
        if (error !== null) fail('has ended');
      });
    });
  }

  return {
    async prepare(primitive, bytes) {
      const reply = await call({ type: 'prepare', call: ++calls, primitive, bytes }, 0);
      if (reply.type === 'refused') return { refused: reply.reason };
      if (reply.type !== 'prepared') throw outOfTurn(reply);
      return { refused: null, emptyCallUs: reply.emptyCallUs };
    },
    async measure(primitive, bytes, sliceMs) {
      const reply = await call(
        { type: 'measure', call: ++calls, primitive, bytes, sliceMs },
        overrun * sliceMs,
      );
      if (reply.type !== 'measured') throw outOfTurn(reply);
      return reply.timed;
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
      reject(
        problem('lab_failed', `The process that measures primitives could not be started: ${error.message}.`),
      ),
    );
  });
}

function outOfTurn(reply: Reply): Error {
  const said = reply.type === 'refused' ? `: ${reply.reason}` : ` out of turn`;
  return problem('lab_failed', `The process that measures primitives answered "${reply.type}"${said}.`);
}
