/** Longest time for work to end after its signal. Less than a server that ends waits for its store. */
const graceMs = 8000;

/**
 * Resolves or rejects as the work does. After the signal, work that does not end in time is let go: rejects with the signal's reason. The
 * caller drops what the work still reports.
 */
export async function letGo<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => reject(signal.reason), graceMs);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}
