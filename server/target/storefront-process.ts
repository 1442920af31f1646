import { fork } from 'node:child_process';
import { problem } from '../../shared/problem.ts';
import type { TargetCounters } from '../../shared/target.ts';
import { answerSchema, type Order, type ProcessAnswer, type StartOrder } from './storefront/messages.ts';
import type { Perturbation } from './storefront/perturbation.ts';

/** The parent's end of one storefront process. */
export type StorefrontProcess = {
  pid: number;
  port: number;
  counters(): Promise<TargetCounters>;
  perturb(perturbation: Perturbation | null): Promise<void>;
  /** Resolves with how it ended, once it has: `signal SIGKILL`, `exit code 1`. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

const startMs = 20_000;
const answerMs = 5000;
const graceMs = 2000;

/**
 * A young generation of one size. Left to itself V8 grows it under load and shrinks it when a process idles, as each arm
 * does while the others have their turn: the same transaction then cost 740 µs in one slot and 1,100 µs in the next.
 */
const steadyHeap = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Resolves when the process listens. A process that cannot start, or takes too long, is gone when this rejects. */
export async function startProcess(order: StartOrder, signal?: AbortSignal): Promise<StorefrontProcess> {
  const child = fork(new URL('./storefront/process.ts', import.meta.url), {
    execPath: process.execPath,
    execArgv: ['--disable-warning=ExperimentalWarning', ...steadyHeap],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting: PromiseWithResolvers<ProcessAnswer>[] = [];
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, by) => resolve(by === null ? `exit code ${code}` : `signal ${by}`));
  });
  child.on('message', (message) => {
    const answer = answerSchema.safeParse(message);
    if (answer.success) waiting.shift()?.resolve(answer.data);
    else waiting.shift()?.reject(gone(`its answer is not one: ${answer.error.issues[0]?.message}`));
  });
  let end: string | null = null;
  ended.then((how) => {
    end = how;
    for (const { reject } of waiting.splice(0)) reject(gone(how));
  });

  /** Answers come in the order of the questions. */
  async function ask(question: Order, withinMs: number): Promise<ProcessAnswer> {
    if (end !== null) throw gone(end);
    const answer = Promise.withResolvers<ProcessAnswer>();
    const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
    waiting.push(answer);
    // A question that cannot be sent has met a process about to end, which rejects all that wait.
    child.send(question, () => {});
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async function stop(): Promise<void> {
    const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    if (child.connected) child.send({ type: 'stop' } satisfies Order, () => {});
    await ended;
    clearTimeout(killer);
  }

  const giveUp = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const answer = await ask(order, startMs);
    if (answer.type !== 'listening') throw unstarted(answer);
    return {
      pid: child.pid ?? 0,
      port: answer.port,
      ended,
      stop,
      async counters() {
        const answer = await ask({ type: 'counters' }, answerMs);
        if (answer.type !== 'counters') throw unstarted(answer);
        return answer.counters;
      },
      async perturb(perturbation) {
        const answer = await ask({ type: 'perturb', perturbation }, answerMs);
        if (answer.type !== 'perturbed') throw unstarted(answer);
      },
    };
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

function gone(how: string): Error {
  return problem('target_died', `A storefront process ended (${how}).`);
}

function unstarted(answer: ProcessAnswer): Error {
  const reason = answer.type === 'failed' ? answer.message : `it answered ${answer.type} out of turn`;
  return problem('target_unreachable', `A storefront process could not do its work: ${reason}.`);
}
