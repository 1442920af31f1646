import { unlessAborted } from './unless-aborted.ts';

/** Does one thing after another, in the order in which they were asked for. Rejects as soon as its signal is aborted. */
type TakeTurn = <Result>(signal: AbortSignal, act: () => Promise<Result>) => Promise<Result>;

export function openTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();

  return async (signal, act) => {
    const turn = last.then(() => {
      signal.throwIfAborted();
      return act();
    });
    last = turn.catch(() => {});
    return unlessAborted(signal, turn);
  };
}
