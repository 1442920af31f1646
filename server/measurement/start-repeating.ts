import type { Schedules } from './schedules.ts';

/** Measures are counted in minutes at least, so a look at a small table that often is soon enough, and costs nothing. */
const lookEveryMs = 10_000;

/** Queues what is due, from now until it is stopped, whatever becomes of the clock or of the store meanwhile. */
export function startRepeating(
  schedules: Pick<Schedules, 'measureDue'>,
  onFault: (error: unknown) => void,
): { stop(): Promise<void> } {
  let looking: Promise<void> | null = null;

  function look(): void {
    looking ??= schedules
      .measureDue(Date.now())
      .catch(onFault)
      .finally(() => {
        looking = null;
      });
  }

  look();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
