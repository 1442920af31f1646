import { printNumber } from '../../shared/base/quantity.ts';
import { kindNames, kindWords } from '../../shared/measurement/kind-names.ts';

/** Kinds as the choices of a select: `Runs (38)`. */
export function kindsWithCounts(counts: readonly { name: string; count: number }[]) {
  const of = new Map(counts.map(({ name, count }) => [name, count]));
  return kindNames.map((value) => ({
    value,
    label: `${kindWords[value].title} (${printNumber(of.get(value) ?? 0, 0)})`,
  }));
}
