import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { problem } from '../../shared/problem.ts';

/** The parent's end of a process that does what it is asked by IPC, and is gone when its parent is. */
export type AskedProcess<Command extends Numbered, Reply extends Numbered> = {
  pid: number;
  /** Resolves to the answer of that type; may be asked again before the last answer has come. */
  ask<Type extends Reply['type']>(
    type: Type,
    command: Unnumbered<Command>,
    expectedMs?: number,
  ): Promise<Extract<Reply, { type: Type }>>;
  stop(): Promise<void>;
};

/** What the library says against what was asked: a result, and no end of the measurement. */
export class Refusal extends Error {}

type Numbered = { type: string; call: number };
type Refused = { type: 'refused'; call: number; reason: string };
type Unnumbered<Command> = Command extends Numbered ? Omit<Command, 'call'> : never;
type Pending<Reply> = {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
};

type Options<Reply> = {
  script: URL;
  execArgv: readonly string[];
  replySchema: z.ZodType<Reply>;
  /** As its troubles name it: `The lab’s process`. */
  name: string;
};

/** Past this, and what was expected, an answer will not come: a key of 4,096 bits may take seconds to make. */
const graceMs = 30_000;

/**
 * A young generation of one size, as large as it may be: garbage is collected seldom, and not more often in one figure than
 * in another.
 */
const steadyHeap = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** What is asked rejects with a Refusal, or with the problem `lab_failed` when the process dies or hangs. */
export async function startAskedProcess<Command extends Numbered, Reply extends Numbered>({
  script,
  execArgv,
  replySchema,
  name,
}: Options<Reply | Refused>): Promise<AskedProcess<Command, Reply>> {
  const child = fork(script, {
    execPath: process.execPath,
    execArgv: ['--disable-warning=ExperimentalWarning', ...steadyHeap, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const pending = new Map<number, Pending<Reply>>();
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let calls = 0;

  child.on('message', (message) => {
    const parsed = replySchema.safeParse(message);
    if (!parsed.success) return fail(`gave an answer that is not one: ${z.prettifyError(parsed.error)}`);
    const waiting = take(pending, parsed.data.call);
    if (isRefused(parsed.data)) waiting?.reject(new Refusal(parsed.data.reason));
    else waiting?.resolve(parsed.data);
  });
  child.once('exit', (code, signal) => fail(`ended (${signal ?? `exit code ${code}`})`));
  await spawned(child, name);

  function fail(what: string): void {
    for (const call of [...pending.keys()])
      take(pending, call)?.reject(problem('lab_failed', `${name} ${what}.`));
  }

  return {
    pid: child.pid ?? 0,
    async ask(type, command, expectedMs = 0) {
      const call = ++calls;
      const reply = await new Promise<Reply>((resolve, reject) => {
        const timer = setTimeout(() => {
          child.kill('SIGKILL');
          fail('did not answer in time and was ended');
        }, expectedMs + graceMs);
        pending.set(call, { resolve, reject, timer });
        child.send({ ...command, call }, (error) => {
          if (error !== null) fail('has ended');
        });
      });
      if (reply.type !== type) throw problem('lab_failed', `${name} answered "${reply.type}" out of turn.`);
      return reply as Extract<Reply, { type: typeof type }>;
    },
    async stop() {
      if (child.connected) child.disconnect();
      const killer = setTimeout(() => child.kill('SIGKILL'), 2000);
      await exited;
      clearTimeout(killer);
    },
  };
}

function isRefused(reply: Numbered): reply is Refused {
  return reply.type === 'refused';
}

function spawned(child: ChildProcess, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', (error) =>
      reject(problem('lab_failed', `${name} could not be started: ${error.message}.`)),
    );
  });
}

function take<Reply>(pending: Map<number, Pending<Reply>>, call: number): Pending<Reply> | undefined {
  const waiting = pending.get(call);
  if (waiting !== undefined) clearTimeout(waiting.timer);
  pending.delete(call);
  return waiting;
}
