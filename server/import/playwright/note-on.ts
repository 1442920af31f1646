const most = 20;

/** A sentence that lists what of a test was left out because it sends nothing; none when nothing was. */
export function noteOn(withoutEffect: readonly { line: number; what: string }[]): string[] {
  if (withoutEffect.length === 0) return [];
  const lines = Map.groupBy(withoutEffect, ({ what }) => what);
  const parts = [...lines].map(([what, places]) => {
    const numbers = [...new Set(places.map(({ line }) => line))];
    return `${what} (line ${numbers.slice(0, most).join(', ')}${numbers.length > most ? ', …' : ''})`;
  });
  const shown = parts.slice(0, most).join(', ');
  const more = parts.length > most ? ` and ${parts.length - most} more` : '';
  return [`Left out, because it sends nothing: ${shown}${more}.`];
}
