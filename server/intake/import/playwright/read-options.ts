import type { Expression, Node } from '@babel/types';
import { modifiers as keys } from '../../../../shared/scenario/browser-actions.ts';
import { quietOptions } from './known-members.ts';
import { Misunderstood, type Scope } from './meaning.ts';
import { readNumber, readOptions, readText, readValue } from './read-value.ts';
import { type Call, leaveOut } from './test-draft.ts';

/** Reads the value of one option; undefined is left out. */
type Reader<Value = unknown> = (node: Expression, call: Call, name: string) => Value;
type Read<Readers extends Record<string, Reader>> = {
  [Name in keyof Readers]?: Exclude<ReturnType<Readers[Name]>, undefined>;
};

/** The options in that argument of a call: each of them is read, without effect and listed, or refused by its name. */
export function optionsOf<Readers extends Record<string, Reader>>(
  call: Call,
  index: number,
  readers?: Readers,
): Read<Readers> {
  const { method, args, scope, reading } = call;
  const found: Record<string, unknown> = {};
  for (const [name, node] of readOptions(args[index])) {
    // Which element a selector means is asked where it is read.
    if (name === 'strict' || (name === 'trial' && !readFlag(node, scope))) continue;
    if (name === 'trial') throw new Misunderstood(`${method} with trial does nothing in the page.`);
    const read = readers !== undefined && Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined && !quietOptions.has(name))
      throw new Misunderstood(`${method} with ${name} is not supported.`);
    const value = read?.(node, call, name);
    if (read === undefined) leaveOut(reading, `${method} with ${name}`);
    else if (value !== undefined) found[name] = value;
  }
  return found as Read<Readers>;
}

/** The first argument of a call, which is a text. */
export function firstText({ args, scope }: Call): string {
  return readText(args[0], scope);
}

export function readFlag(node: Node | undefined, scope: Scope): boolean {
  const value = node === undefined ? null : readValue(node, scope);
  if (value?.is !== 'flag') throw new Misunderstood('Expected true or false.');
  return value.flag;
}

export const flag = (node: Expression, { scope }: Call) => readFlag(node, scope);
export const number = (node: Expression, { scope }: Call) => readNumber(node, scope);
export const force = (node: Expression, { scope }: Call) => readFlag(node, scope) || undefined;

/** One of a closed list of words; null stands for the browser’s default. */
export function oneOf<Word extends string>(...known: readonly Word[]) {
  return (node: Expression, { scope }: Pick<Call, 'scope'>, name: string): Word | undefined => {
    if (node.type === 'NullLiteral') return undefined;
    const value = readValue(node, scope);
    const word = known.find((each) => value.is === 'text' && value.text === each);
    if (word === undefined) throw new Misunderstood(`${name} must be one of ${known.join(', ')}.`);
    return word;
  };
}

export const button = oneOf('left', 'right', 'middle');

/** A point, in CSS pixels. */
export function place(node: Expression, { scope }: Call): { x: number; y: number } {
  const at = readOptions(node);
  return { x: readNumber(at.get('x'), scope), y: readNumber(at.get('y'), scope) };
}

const modifier = oneOf(...keys);

function modifiers(node: Expression, call: Call) {
  if (node.type !== 'ArrayExpression') throw new Misunderstood('The modifiers must be written out in place.');
  return node.elements.flatMap((element) => {
    if (element?.type === 'SpreadElement')
      throw new Misunderstood('The modifiers must be written out in place.');
    return element === null ? [] : (modifier(element, call, 'A modifier') ?? []);
  });
}

/** Where and how the mouse meets an element. */
export const pointer = { modifiers, position: place, force };
