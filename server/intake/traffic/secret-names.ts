/** What stands in place of the value. */
export function placeholderOf(secret: string): string {
  return `\${secret:${secret}}`;
}

export const placeholderPattern = /\$\{secret:[A-Za-z_]\w*\}/;

/** As a name of a variable or a secret: letters, digits and _, at most 40 of them. */
export function asVariableName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
  const named = /^[A-Za-z]/.test(plain) ? plain : `value${plain === '' ? '' : `_${plain}`}`;
  return named.slice(0, 40);
}

/** Gives each name once, and none that is taken: the second time with _2 behind it, then _3. */
export function openNames(takenBefore: readonly string[] = []): (name: string) => string {
  const taken = new Set(takenBefore);
  const last = new Map<string, number>();
  return (name) => {
    let free = name;
    while (taken.has(free)) {
      const number = (last.get(name) ?? 1) + 1;
      last.set(name, number);
      free = `${name}_${number}`;
    }
    taken.add(free);
    return free;
  };
}

/** The names that stand as placeholders anywhere in a value, each once. Behind another `$` they are text. */
export function namedSecrets(value: unknown): string[] {
  const found = JSON.stringify(value).matchAll(/(?<!\$)\$\{secret:([A-Za-z_]\w*)\}/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}
