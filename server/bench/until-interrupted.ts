const signals = ['SIGINT', 'SIGTERM'] as const;

/** Does something that the first SIGINT or SIGTERM asks to come to an end; a second one ends this process at once. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = () => {
    for (const signal of signals) process.off(signal, interrupt);
    process.exitCode = 130;
    process.stderr.write('Interrupted: ending what was started.\n');
    interruption.abort(new Error('the bench was interrupted'));
  };
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}
