/** Calls at once, and again at the end of each interval in which it was called for. */
export function atMostEvery(intervalMs: number, call: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let again = false;
  const run = () => {
    timer = null;
    if (!again) return;
    again = false;
    start();
  };
  const start = () => {
    call();
    timer = setTimeout(run, intervalMs).unref();
  };
  return () => {
    if (timer === null) start();
    else again = true;
  };
}
