/** Rejects with the signal's reason as soon as it is aborted. The work behind `value` is not stopped. */
export async function unlessAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
