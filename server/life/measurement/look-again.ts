/** Looks at once and then at this interval, never twice at the same time, until stopped. A failed look does not end it. */
export function lookAgain(
  everyMs: number,
  look: () => Promise<void>,
  onFault: (error: unknown) => void,
): { stop(): Promise<void> } {
  let looking: Promise<void> | null = null;

  function next(): void {
    looking ??= look()
      .catch(onFault)
      .finally(() => {
        looking = null;
      });
  }

  next();
  const timer = setInterval(next, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
