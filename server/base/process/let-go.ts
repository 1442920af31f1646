import { Belongings } from './children.ts';

/**
 * After its signal, work has this long to end by itself, then its processes to end, and then to be killed, and to notice it. Less than a
 * server that ends waits for its store.
 */
const [termMs, killMs, graceMs] = [2000, 3000, 5000];

/**
 * Resolves or rejects as the work does. After the signal, the processes and connections of work that does not end are ended, and the work is let go: rejects
 * with the signal's reason, once all its processes have exited. The caller drops what the work still reports.
 */
export async function letGo<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  const belongings = new Belongings();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timers: NodeJS.Timeout[] = [];
  const begin = () => {
    timers.push(
      setTimeout(() => {
        belongings.hangUp();
        belongings.signal('SIGTERM');
      }, termMs),
      setTimeout(() => belongings.signal('SIGKILL'), killMs),
      setTimeout(() => void belongings.exited().then(() => reject(signal.reason)), graceMs),
    );
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([belongings.own(work), late]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}
