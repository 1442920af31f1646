import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** What a long bench has measured so far, in a file with a line of JSON for each part, so that it can go on where it stopped. */
export type Ledger<Value> = {
  get(key: string): Value | undefined;
  /** On the disk when it returns. */
  keep(key: string, value: Value): void;
};

/** Lines that are damaged, as the last one is when the bench was killed while writing, are as if they were not there. */
export function openLedger<Value>(path: string, valueSchema: z.ZodType<Value>): Ledger<Value> {
  const lineSchema = z.strictObject({ key: z.string(), value: valueSchema });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const kept = new Map<string, Value>();
  for (const line of text.split('\n')) {
    const parsed = lineSchema.safeParse(parseJson(line));
    if (parsed.success) kept.set(parsed.data.key, parsed.data.value);
  }
  // What is written next must not continue a broken line.
  if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n', { flush: true });
  return {
    get: (key) => kept.get(key),
    keep(key, value) {
      appendFileSync(path, `${JSON.stringify({ key, value })}\n`, { flush: true });
      kept.set(key, value);
    },
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
