/**
 * Looks at this interval and whenever it is asked to, never twice at the same time, until stopped. A failed look does not end it.
 *
 * @param onFault told what a look says that nobody asked for
 */
export function lookAgain(
  everyMs: number,
  onFault: (error: unknown) => void,
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

  const timer = setInterval(() => void now().catch(onFault), everyMs);
  timer.unref();
  return {
    now,
    async stop() {
      clearInterval(timer);
      await looking?.catch(() => {});
    },
  };
}
