/** What does not come in time, or ends with an error, such as a question to a page that hangs or leaves: then it is `otherwise`. */
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
