/** A pattern of a scenario as JavaScript has it. */
type ScriptPattern = { source: string; flags: string };

/** RE2's spellings that JavaScript reads as something else, or not at all. */
const foreign = /\\[AzQEC]|\\[pP][^{]|\\[pP]\{|\[\[:|\(\?[a-zA-Z-]*[:)]/;

/** Null for a pattern of RE2 that JavaScript cannot be given: it has no `\A`, no `[[:alpha:]]`, no flags halfway. */
export function scriptPattern(pattern: string): ScriptPattern | null {
  const [head = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(head.length).replaceAll('(?P<', '(?<');
  if (foreign.test(source.replaceAll('(?:', '('))) return null;
  try {
    new RegExp(source, flags);
    return { source, flags };
  } catch {
    return null;
  }
}

/** The keys and indices of `$.items[0]['a b']`; null for a path that chooses, such as `$..id` or `$.items[*]`. */
export function jsonPathParts(path: string): (string | number)[] | null {
  const parts: (string | number)[] = [];
  const pattern = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['((?:\\.|[^'\\])*)'\]|\["((?:\\.|[^"\\])*)"\]/y;
  pattern.lastIndex = 1;
  while (pattern.lastIndex < path.length) {
    const match = pattern.exec(path);
    if (match === null) return null;
    const [, name, index, single, double] = match;
    parts.push(
      index === undefined ? (name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1')) : Number(index),
    );
  }
  return parts;
}
