import type {
  ArrayExpression,
  CallExpression,
  Expression,
  NewExpression,
  Node,
  ObjectExpression,
  TemplateLiteral,
} from '@babel/types';
import type { Locator, TextMatch } from '../../../shared/scenario/locator.ts';
import { asVariableName, placeholderOf } from '../traffic/spellings.ts';

/** A value that stands in the source: text, a number, a pattern. Nothing is computed but texts put together. */
export function readValue(node: Node, scope: Scope): Meaning {
  switch (node.type) {
    case 'StringLiteral':
      return { is: 'text', text: node.value };
    case 'NumericLiteral':
      return { is: 'number', number: node.value };
    case 'BooleanLiteral':
      return { is: 'flag', flag: node.value };
    case 'RegExpLiteral':
      return { is: 'pattern', match: { type: 'pattern', pattern: node.pattern, flags: node.flags } };
    case 'NewExpression': {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') break;
      const [pattern, flags] = argumentsOf(node);
      const flagText = flags === undefined ? '' : readText(flags, scope);
      return {
        is: 'pattern',
        match: { type: 'pattern', pattern: readText(pattern, scope), flags: flagText },
      };
    }
    case 'ArrayExpression':
      return { is: 'list', items: node.elements.map((element) => readItem(element, scope)) };
    case 'TemplateLiteral':
      return { is: 'text', text: joinTexts(textsOf(node, scope)) };
    case 'BinaryExpression': {
      if (node.operator !== '+') break;
      const [left, right] = [readValue(node.left, scope), readValue(node.right, scope)];
      if (left.is === 'number' && right.is === 'number') break;
      return { is: 'text', text: joinTexts([textOf(left), textOf(right)]) };
    }
    // `process.env.USER ?? 'ada'` is what the environment says; it is asked for at launch.
    case 'LogicalExpression':
      if (node.operator === '&&' || environmentVariableOf(node.left) === null) break;
      return readValue(node.left, scope);
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return readValue(node.expression, scope);
    case 'MemberExpression': {
      const variable = environmentVariableOf(node);
      if (variable === null) break;
      return { is: 'text', text: placeholderOf(asVariableName(variable)) };
    }
    case 'Identifier': {
      const known = scope.get(node.name);
      if (known?.is === 'nothing')
        throw new Misunderstood(`The value of ${node.name} is known only in the browser.`);
      if (known !== undefined) return known;
      throw new Misunderstood(`The value of ${node.name} is unknown.`);
    }
    default:
  }
  throw new Misunderstood(
    'Computed values are not supported, because code is never executed. Write the value in its place.',
  );
}

function* textsOf({ quasis, expressions }: TemplateLiteral, scope: Scope): Generator<string> {
  for (const [index, { value }] of quasis.entries()) {
    yield value.cooked ?? '';
    const inner = expressions[index];
    if (inner !== undefined) yield textOf(readValue(inner, scope));
  }
}

function readItem(node: ArrayExpression['elements'][number], scope: Scope): Meaning {
  if (node === null) throw new Misunderstood('An item of the list is missing.');
  return readValue(node, scope);
}

export function textOf(meaning: Meaning): string {
  if (meaning.is === 'text') return meaning.text;
  if (meaning.is === 'number') return `${meaning.number}`;
  throw new Misunderstood('Expected a text.');
}

/** Also of a number with a sign. */
export function readNumber(node: Node | undefined, scope: Scope): number {
  if (node === undefined) throw new Misunderstood('A number is missing.');
  if (node.type === 'UnaryExpression' && node.operator === '-') return -readNumber(node.argument, scope);
  const value = readValue(node, scope);
  if (value.is !== 'number') throw new Misunderstood('Expected a number.');
  return value.number;
}

export function readText(node: Node | undefined, scope: Scope): string {
  if (node === undefined) throw new Misunderstood('A text is missing.');
  return textOf(readValue(node, scope));
}

export function readMatch(node: Node | undefined, scope: Scope, exact = false): TextMatch {
  if (node === undefined) throw new Misunderstood('A text is missing.');
  const value = readValue(node, scope);
  return value.is === 'pattern' ? value.match : { type: 'text', text: textOf(value), exact };
}

/** A text such as `f('a',, 'b')` is parsed with a hole in its arguments, which the types of the tree do not know. */
export function argumentsOf(call: CallExpression | NewExpression): Expression[] {
  return call.arguments.map((argument: (typeof call.arguments)[number] | null) => {
    if (argument === null) throw new Misunderstood('An argument is missing.');
    if (argument.type === 'SpreadElement' || argument.type === 'ArgumentPlaceholder') {
      throw new Misunderstood('Spread arguments are not supported, because code is never executed.');
    }
    return argument;
  });
}

/** The properties of an object that is written out; those that are spread in are not known. */
export function readOptions(node: Node | undefined): Map<string, Expression> {
  const options = new Map<string, Expression>();
  if (node === undefined) return options;
  if (node.type !== 'ObjectExpression') throw new Misunderstood('The options must be written out in place.');
  for (const property of node.properties) {
    if (property.type !== 'ObjectProperty' || property.computed) {
      throw new Misunderstood('The options must be written out in place.');
    }
    options.set(propertyName(property.key), property.value as Expression);
  }
  return options;
}

export function propertyName(key: Node): string {
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'StringLiteral') return key.value;
  if (key.type === 'NumericLiteral') return `${key.value}`;
  throw new Misunderstood('Computed property names are not supported.');
}

/** A literal as JSON: the body of a request. Its texts together are as long as one text may be. */
export function readJson(node: Node, scope: Scope, measure = openTextLimit()): unknown {
  if (node.type === 'ObjectExpression') return readObject(node, scope, measure);
  if (node.type === 'ArrayExpression') {
    return node.elements.map((element) => (element === null ? null : readJson(element, scope, measure)));
  }
  if (node.type === 'NullLiteral') return null;
  const value = readValue(node, scope);
  if (value.is === 'flag') return value.flag;
  if (value.is === 'number') return value.number;
  return measure(textOf(value));
}

function readObject(
  node: ObjectExpression,
  scope: Scope,
  measure: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    [...readOptions(node)].map(([name, value]) => [name, readJson(value, scope, measure)]),
  );
}

/** `process.env.NAME` or `process.env['NAME']`. */
export function environmentVariableOf(node: Node): string | null {
  if (node.type !== 'MemberExpression' || node.object.type !== 'MemberExpression') return null;
  const { object, property } = node.object;
  if (object.type !== 'Identifier' || object.name !== 'process') return null;
  if (property.type !== 'Identifier' || property.name !== 'env') return null;
  return node.computed && node.property.type !== 'StringLiteral' ? null : propertyName(node.property);
}

/** In UTF-16 units, of one text that a test puts together: as much as the body of a request may have. */
const longestText = 2 ** 20;

/** Texts in one. A name may stand for two of the name before it, so what is too long is given up before it is made. */
function joinTexts(texts: Iterable<string>): string {
  const measure = openTextLimit();
  let joined = '';
  for (const text of texts) joined += measure(text);
  return joined;
}

/** Returns each text, and throws Misunderstood once they are too long together. */
function openTextLimit(): (text: string) => string {
  let length = 0;
  return (text) => {
    length += text.length;
    if (length > longestText)
      throw new Misunderstood('The text that is put together here is longer than 1 MiB.');
    return text;
  };
}

/** Meaning of an expression in a test, as far as an import needs to know. */
export type Meaning =
  | { is: 'page'; page: number }
  | { is: 'keyboard' | 'mouse'; page: number }
  | { is: 'locator'; page: number; locator: Locator }
  | { is: 'context' | 'browser' | 'request' }
  /** The future result of `waitForEvent('popup')`. */
  | { is: 'popup'; page: number }
  /** A wait that began and is awaited further down. */
  | { is: 'wait'; call: Node }
  /** The answer to the request with that index. */
  | { is: 'response'; request: number }
  | { is: 'status'; request: number }
  | { is: 'text'; text: string }
  | { is: 'number'; number: number }
  | { is: 'flag'; flag: boolean }
  | { is: 'pattern'; match: TextMatch }
  | { is: 'list'; items: Meaning[] }
  /** Useless but harmless to an import, and its members too: a trace. */
  | { is: 'quiet'; name: string }
  /** Known in the browser only. */
  | { is: 'nothing' };

/** Names in the source and what they stand for. */
export type Scope = Map<string, Meaning>;

/** Something outside of the allow-list; the message is the reason that the user reads. */
export class Misunderstood extends Error {}

export const nothing: Meaning = { is: 'nothing' };
