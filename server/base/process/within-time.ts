/** The value, or `otherwise` if it takes too long or rejects, as a question to a page does that hangs or leaves. */
export async function withinTime<T, U>(value: Promise<T>, patienceMs: number, otherwise: U): Promise<T | U> {
  const { promise, resolve } = Promise.withResolvers<T | U>();
  const timer = setTimeout(resolve, patienceMs, otherwise);
  value.then(resolve, () => resolve(otherwise));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
