import { jsonLeaves } from './json-leaves.ts';
import { loosePairs } from './loose-pairs.ts';
import { xmlLeaves } from './xml-leaves.ts';

/** Named values inside of one value: JSON in a field of a form, a query in an address, GraphQL in JSON, XML in a part. */
export function nestedValues(value: string): { name: string; value: string }[] {
  if (value.length < shortest || !/[=:<]/.test(value)) return [];
  const leaves = /^\s*[{[]/.test(value) ? jsonLeaves(value) : null;
  if (leaves !== null) return leaves.map(({ path, value: leaf }) => ({ name: path, value: leaf }));
  if (/^\s*</.test(value)) return xmlLeaves(value).map(({ name, raw }) => ({ name, value: raw }));
  return loosePairs(value);
}

/** `pw=x` is the shortest. */
const shortest = 4;
