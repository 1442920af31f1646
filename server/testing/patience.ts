/**
 * The longest that any test waits for what must come. It is generous because a busy machine takes many times as long, and
 * nothing is judged by it: only a test that hangs ever reaches it.
 */
export const patienceMs = 180_000;
