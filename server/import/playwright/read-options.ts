import type { Expression, Node } from '@babel/types';
import { quietOptions } from './api/settings-api.ts';
import type { Call } from './call.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { readOptions, readValue } from './read-value.ts';
import { leaveOut } from './test-draft.ts';

/** The options of a call, each of which is one of these, without effect and listed, or refused by its name. */
export function optionsOf(
  { method, reading, scope }: Call,
  node: Node | undefined,
  done: readonly string[] = [],
): Map<string, Expression> {
  const options = readOptions(node);
  for (const [name, value] of options) {
    if (done.includes(name)) continue;
    if (name === 'trial' && !flagOf(value, scope)) continue;
    if (name === 'trial') throw new Misunderstood(`${method} with trial does nothing in the page.`);
    if (!quietOptions.has(name)) throw new Misunderstood(`${method} with ${name} is not supported.`);
    leaveOut(reading, `${method} with ${name}`);
  }
  return options;
}

export function flagOf(node: Node | undefined, scope: Scope): boolean {
  if (node === undefined) return false;
  const value = readValue(node, scope);
  if (value.is !== 'flag') throw new Misunderstood('Expected true or false.');
  return value.flag;
}

/** Also of a number with a sign. */
export function readNumber(node: Node | undefined, scope: Scope): number {
  if (node === undefined) throw new Misunderstood('A number is missing.');
  if (node.type === 'UnaryExpression' && node.operator === '-') return -readNumber(node.argument, scope);
  const value = readValue(node, scope);
  if (value.is !== 'number') throw new Misunderstood('Expected a number.');
  return value.number;
}

/** One of a closed list of words. */
export function readWord<Word extends string>(
  node: Node,
  scope: Scope,
  what: string,
  known: readonly Word[],
): Word {
  const value = readValue(node, scope);
  const word = known.find((name) => value.is === 'text' && value.text === name);
  if (word === undefined) throw new Misunderstood(`${what} must be one of ${known.join(', ')}.`);
  return word;
}

export function readPlace(node: Node, scope: Scope): { x: number; y: number } {
  const place = readOptions(node);
  return { x: readNumber(place.get('x'), scope), y: readNumber(place.get('y'), scope) };
}
