import type { Length } from '../../../shared/kinds/comparison/load-names.ts';
import { lengthNames } from '../../../shared/kinds/comparison/load-names.ts';

/** What an address brings to the form: a scenario, or a run to be asked for again. */
export type Brought = { scenario: string | null; again: string | null; length: Length | null };

/** Null where the form stays as it was. */
export function readBrought(address: URLSearchParams): Brought | null {
  const [scenario, again] = [address.get('scenario'), address.get('again')];
  if (scenario === null && again === null) return null;
  const length = lengthNames.find((name) => name === address.get('length')) ?? null;
  return { scenario, again, length };
}
