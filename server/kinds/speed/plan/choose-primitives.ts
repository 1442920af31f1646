import { problem } from '../../../../shared/base/problem.ts';
import { type PrimitiveGroup, primitiveGroups } from '../../../../shared/kinds/speed/speed.ts';
import { nearestNames } from '../../../base/text/known-name.ts';
import { type Primitive, primitives } from './primitives.ts';
import { type Sum, sums } from './sums.ts';

type Choice = { primitives: Primitive[]; sums: Sum[] };

/**
 * What is meant by the names, however they are written: a primitive, a sum, a group of them, or a curve, which stands for
 * all that is done on it. With a sum come its parts. Throws `lab_impossible`, with the nearest names.
 */
export function choosePrimitives(names: readonly string[] | null): Choice {
  const meant = new Set(names === null ? allNames() : names.flatMap(namesMeant));
  const chosenSums = sums.filter(({ name }) => meant.has(name));
  const parts = new Set(chosenSums.flatMap((sum) => sum.parts.map(({ primitive }) => primitive)));
  return {
    primitives: primitives.filter(({ name }) => meant.has(name) || parts.has(name)),
    sums: chosenSums,
  };
}

function namesMeant(asked: string): string[] {
  const word = plainOf(asked);
  const group = primitiveGroups.find((each) => plainOf(each) === word || `${plainOf(each)}s` === word);
  if (group !== undefined) return namesOf(group);
  const found = allNames().filter((name) => isMeant(name, word));
  if (found.length > 0) return found;
  const nearest = nearestNames(asked, [...primitiveGroups, ...allNames()]);
  const fact = `There is no primitive "${asked}". Nearest: ${nearest.join(', ')}.`;
  throw problem('lab_impossible', { detail: fact, errors: [{ field: 'names', message: fact }] });
}

function isMeant(name: string, word: string): boolean {
  const plain = plainOf(name);
  return plain === word || plain === `ecdsa${word}` || plain === `ecdh${word}`;
}

function namesOf(group: PrimitiveGroup): string[] {
  return [...primitives, ...sums].filter((each) => each.group === group).map(({ name }) => name);
}

function allNames(): string[] {
  return [...new Set([...primitives, ...sums].map(({ name }) => name))];
}

/** Without case and punctuation. */
function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
