/**
 * Looks at this interval and whenever it is asked to, never twice at the same time, until stopped. A failed look does not end it.
 *
 * @param onError told what a look says that nobody asked for
 */
export function lookAgain(
  everyMs: number,
  onError: (error: unknown) => void,
  look: () => Promise<void>,
): { now(): Promise<void>; stop(): Promise<void> } {
  let looking: Promise<void> | null = null;

  /** Rejects with what speaks against it. */
  function now(): Promise<void> {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  const timer = setInterval(() => void now().catch(onError), everyMs);
  timer.unref();
  return {
    now,
    async stop() {
      clearInterval(timer);
      await looking?.catch(() => {});
    },
  };
}
