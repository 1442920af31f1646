const conjunction = new Intl.ListFormat('en-US');

/** `a`, `a and b`, `a, b, and c`. */
export function listed(parts: readonly string[]): string {
  return conjunction.format(parts);
}
