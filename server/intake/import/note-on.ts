const most = 20;

/** Something of a source that sends nothing, and its line or step. */
export type WithoutEffect = { line: number; what: string };

/** A sentence that lists what was left out because it sends nothing; none when nothing was. */
export function noteOn(withoutEffect: readonly WithoutEffect[], place: 'line' | 'step'): string[] {
  if (withoutEffect.length === 0) return [];
  const lines = Map.groupBy(withoutEffect, ({ what }) => what);
  const parts = [...lines].map(([what, places]) => {
    const numbers = [...new Set(places.map(({ line }) => line))];
    return `${what} (${place} ${numbers.slice(0, most).join(', ')}${numbers.length > most ? ', …' : ''})`;
  });
  const shown = parts.slice(0, most).join(', ');
  const more = parts.length > most ? ` and ${parts.length - most} more` : '';
  return [`Left out, because it sends nothing: ${shown}${more}.`];
}
