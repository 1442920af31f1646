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
