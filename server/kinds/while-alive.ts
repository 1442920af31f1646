import { setTimeout as pause } from 'node:timers/promises';
import { problem } from '../../shared/base/problem.ts';

/** A process that has died says so within this. */
const deathIsSaidMs = 300;

type Opened = { died: Promise<string>; stop(): Promise<void> };

/** What is opened, for as long as `use` takes; its death aborts both with target_died, and it is stopped in any case. */
export async function whileAlive<Target extends Opened>(
  cancelled: AbortSignal,
  open: (signal: AbortSignal) => Promise<Target>,
  use: (target: Target, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const death = new AbortController();
  const signal = AbortSignal.any([cancelled, death.signal]);
  const target = await open(signal);
  const died = target.died.then((sentence) => death.abort(problem('target_died', sentence)));
  try {
    await use(target, signal);
  } catch (error) {
    // What a death leads to may be seen before the death is.
    await Promise.race([died, pause(deathIsSaidMs)]);
    throw death.signal.aborted ? death.signal.reason : error;
  } finally {
    await target.stop();
  }
}
