import { once } from 'node:events';
import { z } from 'zod';
import { problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import { causeOf, detailsOf, problemOfError, Reason } from '../text/foreign-errors.ts';
import { forkChild } from './children.ts';

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
  /** The error that rejects a call when the process cannot do what was asked but keeps running. */
  refused?: (refusal: AnswerProblem) => Error;
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

/** The process cannot do this one thing. It answers the next question. Its cause is the original words of a foreign error. */
export class AnswerProblem extends Reason {}

/**
 * A young generation of one size. Left to itself V8 grows it under load and shrinks it when a process idles, as each arm
 * of a target does while the others have their turn: the same transaction then cost 740 µs in one slot and 1,100 µs in the
 * next. At its maximum garbage is collected seldom, and equally often in every figure.
 */
export const steadyHeap = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

const stopMs = 2000;
/** Longest delay of Node's timers; a longer one would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** A call rejects once the process that failed it has ended. */
export async function startAskedProcess<Asked extends Questions>({
  script,
  questions,
  name,
  code,
  refused = (refusal) => refusal,
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
    throw problemOfError(code, `${name} could not be started`, error);
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
      // If this cannot be sent, the process is about to end, which rejects all calls.
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

type Waiting = { answer: z.ZodType; resolve(answer: unknown): void; reject(error: Error): void };

const replySchema = z.union([
  z.strictObject({ call: z.int(), problem: z.string(), details: z.string().optional() }),
  z.strictObject({ call: z.int(), answer: z.unknown().optional() }),
]);

/** The calls that wait for an answer, which may come in any order. */
export class OpenCalls {
  readonly #refused: (refusal: AnswerProblem) => Error;
  readonly #waiting = new Map<number, Waiting>();
  #closed: Error | null = null;
  #count = 0;

  /** @param refused what a call rejects with when it is refused */
  constructor(refused: (refusal: AnswerProblem) => Error) {
    this.#refused = refused;
  }

  /** Throws what the calls were closed with. */
  open<Answer>(answer: z.ZodType<Answer>): { call: number; answered: Promise<Answer> } {
    if (this.#closed !== null) throw this.#closed;
    const call = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(call, { answer, resolve: resolve as Waiting['resolve'], reject });
    return { call, answered: promise };
  }

  /** Settles the call that this replies to; or what the process did wrong, which settles none. */
  take(message: unknown): string | null {
    const reply = replySchema.safeParse(message);
    if (!reply.success) return `sent something other than an answer: ${causeOf(reply.error)}`;
    const { call } = reply.data;
    const asked = this.#waiting.get(call);
    if (asked === undefined) return 'answered a question that it was not asked';
    if ('problem' in reply.data) {
      const { problem: reason, details } = reply.data;
      asked.reject(this.#refused(new AnswerProblem(reason, { cause: details })));
    } else {
      const answer = asked.answer.safeParse(reply.data.answer);
      if (!answer.success) return `sent an invalid answer: ${causeOf(answer.error)}`;
      asked.resolve(answer.data);
    }
    this.#waiting.delete(call);
    return null;
  }

  /** Rejects every call that waits or comes. */
  close(error: Error): void {
    this.#closed = error;
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}

type Answers<Asked extends Questions> = {
  [Name in keyof Asked]: (
    question: z.output<Asked[Name]['question']>,
  ) => z.input<Asked[Name]['answer']> | Promise<z.input<Asked[Name]['answer']>>;
};

type QuestionsOptions = {
  /** Words for an error that refuses one question. */
  reasonOf?: (error: unknown) => string;
  /** Called before the process exits because its parent has stopped it or died. */
  beforeExit?: () => void | Promise<void>;
};

/** The child's end: answers its parent over IPC, refuses what throws, and exits when its parent is gone. */
export function answerQuestions<Asked extends Questions>(
  questions: Asked,
  answers: Answers<Asked>,
  { reasonOf = reasonIn, beforeExit }: QuestionsOptions = {},
): void {
  process.on('message', (message) => {
    const { call, name, question } = message as Call<keyof Asked>;
    // A question that is not valid ends this process: that is a mistake in the product, not an answer.
    const schema = (questions[name] as Asked[keyof Asked]).question;
    answer(call, answers[name], schema.parse(question));
  });
  process.on('disconnect', async () => {
    await beforeExit?.();
    process.exit(0);
  });
  // Ctrl-C goes to every process of the terminal. The parent decides when its processes end.
  process.on('SIGINT', () => {});

  async function answer(call: number, of: (question: never) => unknown, question: unknown): Promise<void> {
    try {
      reply({ call, answer: await of(question as never) });
    } catch (error) {
      reply({ call, problem: reasonOf(error), ...detailsOf(error) });
    }
  }
}

function reply(message: Reply): void {
  // If the parent is gone, the reply is lost, and the disconnect ends this process.
  process.send?.(message, undefined, {}, () => {});
}

/** Why it cannot be done, as a clause. */
export function reasonIn(error: unknown): string {
  return causeOf(error) ?? 'it failed (details)';
}

/** Schemas of the questions and answers of a process, by name. Both ends parse with them what they receive. */
export type Questions = Record<string, { question: z.ZodType; answer: z.ZodType }>;

/** A question from the asking end: missing fields take their defaults. */
export type Question<Asked extends Questions, Name extends keyof Asked> = z.input<Asked[Name]['question']>;
export type Answer<Asked extends Questions, Name extends keyof Asked> = z.output<Asked[Name]['answer']>;

/** Messages over IPC. Answers may come in any order: each contains the number of its call. */
type Call<Name> = { call: number; name: Name; question: unknown };
type Reply = { call: number; answer: unknown } | { call: number; problem: string; details?: string };

/** The reason why a step was refused, or null once it is done. A refusal ends that step, never the measurement. */
export async function answerProblem(what: () => Promise<unknown>): Promise<string | null> {
  try {
    await what();
    return null;
  } catch (error) {
    if (error instanceof AnswerProblem) return error.message;
    throw error;
  }
}
