/**
 * Replaces any of many values in texts, the longest first where two begin at the same place. Looks only where the
 * first characters fit one of the values, so that a thousand values cost little more than one.
 */
export function openReplacer(replacements: Map<string, string>): (text: string) => string {
  const byHead = new Map<string, [string, string][]>();
  for (const [value, replacement] of replacements) {
    if (value.length < headLength) continue;
    const head = value.slice(0, headLength);
    byHead.set(head, [...(byHead.get(head) ?? []), [value, replacement]]);
  }
  for (const candidates of byHead.values()) candidates.sort((a, b) => b[0].length - a[0].length);
  const firsts = new Uint8Array(65_536);
  for (const head of byHead.keys()) firsts[head.charCodeAt(0)] = 1;
  const seconds = new Uint8Array(65_536);
  for (const head of byHead.keys()) seconds[head.charCodeAt(1)] = 1;

  return (text) => {
    const parts: string[] = [];
    let kept = 0;
    for (let at = 0; at + headLength <= text.length; at++) {
      if (firsts[text.charCodeAt(at)] === 0 || seconds[text.charCodeAt(at + 1)] === 0) continue;
      const found = byHead
        .get(text.slice(at, at + headLength))
        ?.find(([value]) => text.startsWith(value, at));
      if (found === undefined) continue;
      parts.push(text.slice(kept, at), found[1]);
      kept = at + found[0].length;
      at = kept - 1;
    }
    return kept === 0 ? text : parts.join('') + text.slice(kept);
  };
}

/** A shorter value stands in too many innocent words to be looked for everywhere. */
export const headLength = 4;
