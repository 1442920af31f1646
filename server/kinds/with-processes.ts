type Stoppable = { stop(): Promise<void> };

export type StartProcess = <Process extends Stoppable>(starting: Promise<Process>) => Promise<Process>;

/**
 * Lends a way to start processes, none of which is left when it returns. When the signal is aborted they are stopped at once:
 * what is asked of them is then answered with an error.
 */
export async function withProcesses(
  signal: AbortSignal,
  use: (start: StartProcess) => Promise<void>,
): Promise<void> {
  const started: Stoppable[] = [];
  const stop = () => Promise.all(started.map((each) => each.stop()));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await use(async (starting) => {
      const process = await starting;
      started.push(process);
      return process;
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
  }
}
