import { once } from 'node:events';
import type { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { forkChild } from './children.ts';
import { OpenCalls } from './open-calls.ts';
import type { Answer, Call, Question, Questions } from './questions.ts';

/** The parent's end of a process that answers questions over IPC and ends when its parent does. */
export type AskedProcess<Asked extends Questions> = {
  pid: number;
  /** May be called again before the last answer has come. */
  ask<Name extends keyof Asked & string>(
    name: Name,
    question: Question<Asked, Name>,
    options?: AskOptions,
  ): Promise<Answer<Asked, Name>>;
  /** Resolves with how it ended, once it has: `SIGKILL`, `exit code 1`. */
  ended: Promise<string>;
  /** By force after two seconds. */
  stop(): Promise<void>;
};

type AskOptions = {
  /** How long the answer itself takes; `graceMs` is added. */
  expectedMs?: number;
  /** Ends the process: a question cannot be taken back. The call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

type Options<Asked extends Questions> = {
  /** Calls `answerQuestions` with the same questions. */
  script: URL;
  questions: Asked;
  /** The subject of its problems: `The load generator`. */
  name: string;
  /** The problem when it dies, hangs or gives no proper answer. */
  code: ProblemCode;
  /** What a call rejects with when the process cannot do what was asked and goes on. */
  refused?: (reason: string) => Error;
  /** Over the time that an answer takes; past it the process is considered hung. */
  graceMs: number;
  /** Ends the process at once, by force, and every call with the signal's reason. */
  signal?: AbortSignal | undefined;
  execArgv?: readonly string[];
  serialization?: 'json' | 'advanced';
  /** A program that starts it, with the arguments that it needs for that. */
  through?: readonly string[];
  /** In a process group of its own: what ends all of ours at once leaves it to notice, and to clean up. */
  detached?: boolean;
};

/** The process cannot do this one thing. It answers the next question. */
export class AnswerProblem extends Error {}

/**
 * A young generation of one size. Left to itself V8 grows it under load and shrinks it when a process idles, as each arm
 * of a target does while the others have their turn: the same transaction then cost 740 µs in one slot and 1,100 µs in the
 * next. At its maximum garbage is collected seldom, and equally often in every figure.
 */
export const steadyHeap = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

const stopMs = 2000;
/** What Node's timers take; a longer time would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A call rejects once the process that failed it has ended. */
export async function startAskedProcess<Asked extends Questions>({
  script,
  questions,
  name,
  code,
  refused = (reason) => new AnswerProblem(reason),
  graceMs,
  signal: ending,
  execArgv = [],
  serialization = 'advanced',
  detached = false,
  through = [],
}: Options<Asked>): Promise<AskedProcess<Asked>> {
  const child = forkChild(script, {
    ...startedThrough(through, ['--disable-warning=ExperimentalWarning', ...execArgv]),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization,
    detached,
  });
  const calls = new OpenCalls(refused);
  let wrong: string | null = null;
  const giveUp = (what: string) => {
    wrong ??= what;
    child.kill('SIGKILL');
  };
  child.on('message', (message) => {
    const what = calls.take(message);
    if (what !== null) giveUp(what);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve(signal ?? `exit code ${exitCode}`));
  });
  const endNow = () => child.kill('SIGKILL');
  ending?.addEventListener('abort', endNow, { once: true });
  void ended.then((how) => {
    ending?.removeEventListener('abort', endNow);
    calls.close(ending?.aborted ? ending.reason : problem(code, `${name} ${wrong ?? `ended (${how})`}.`));
  });
  if (ending?.aborted) endNow();

  await once(child, 'spawn').catch((error: Error) => {
    throw problem(code, `${name} could not be started: ${error.message}.`);
  });
  return {
    pid: child.pid ?? 0,
    ended,
    async ask(name, question, { expectedMs = 0, signal } = {}) {
      const answer = questions[name]?.answer as z.ZodType<Answer<Asked, typeof name>>;
      const { call, answered } = calls.open(answer);
      const patienceMs = Math.min(expectedMs + graceMs, longestTimerMs);
      const timer = setTimeout(() => giveUp('did not answer in time and was ended'), patienceMs);
      const abandon = () => giveUp('was given up');
      signal?.addEventListener('abort', abandon, { once: true });
      if (signal?.aborted === true) abandon();
      // Where this cannot be sent the process is about to end, which rejects all calls.
      child.send({ call, name, question } satisfies Call<string>, () => {});
      try {
        return await answered;
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener('abort', abandon);
        clearTimeout(timer);
      }
    },
    async stop() {
      if (child.connected) child.disconnect();
      const killer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await ended;
      clearTimeout(killer);
    },
  };
}

function startedThrough([program, ...args]: readonly string[], execArgv: string[]) {
  if (program === undefined) return { execArgv };
  return { execPath: program, execArgv: [...args, process.execPath, ...execArgv] };
}
