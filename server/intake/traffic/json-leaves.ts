import { jsonPathBelow } from './json-path-below.ts';

/** A text or a number in a JSON text, and where it stands. */
export type JsonLeaf = {
  /** Such as `$.items[0].id`. */
  path: string;
  /** A number as it is written, a text without its quotes and escapes. */
  value: string;
  isText: boolean;
  /** Offsets of its first character and behind its last, quotes included. */
  from: number;
  to: number;
};

/** Deeper ones are not looked at. */
const deepest = 50;

/** The leaves of a JSON text in their order; null when it is not JSON. */
export function jsonLeaves(text: string): JsonLeaf[] | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const leaves: JsonLeaf[] = [];
  const open: Level[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    const level = open.at(-1);
    if (character === '{' || character === '[') {
      open.push({
        path: open.length < deepest ? pathIn(level) : '',
        isList: character === '[',
        index: 0,
        key: null,
      });
      at += 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      at += 1;
    } else if (character === ',') {
      if (level !== undefined) {
        level.index += 1;
        level.key = null;
      }
      at += 1;
    } else if (character === '"') {
      const to = textEnd(text, at);
      const value = unquoted(text.slice(at, to));
      if (level !== undefined && !level.isList && level.key === null) level.key = value;
      else add({ value, isText: true, from: at, to });
      at = to;
    } else {
      const [number = ''] = numberAt(text, at);
      if (number !== '') add({ value: number, isText: false, from: at, to: at + number.length });
      at += Math.max(1, number.length);
    }
  }
  return leaves;

  function add(leaf: Omit<JsonLeaf, 'path'>): void {
    if (open.length <= deepest) leaves.push({ ...leaf, path: pathIn(open.at(-1)) });
  }
}

/** An object or a list that is open. The key is null until its value begins. */
type Level = { path: string; isList: boolean; index: number; key: string | null };

function pathIn(level: Level | undefined): string {
  if (level === undefined) return '$';
  return level.isList ? `${level.path}[${level.index}]` : jsonPathBelow(level.path, level.key ?? '');
}

function unquoted(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
}

function textEnd(text: string, from: number): number {
  let at = from + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

const number = /-?\d[\d.eE+-]*/y;

function numberAt(text: string, at: number): string[] {
  number.lastIndex = at;
  return number.exec(text) ?? [];
}
