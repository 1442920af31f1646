import { type SizesRequest, studySizes } from '../../../../shared/kinds/sizes/sizes.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';

/** The command that repeats a sweep: the same visits in the same order. */
export function sizesCommand({ target, sizes, suites, rounds }: SizesRequest, seed: number): string {
  const chosen = suites.filter((suite) => suite !== null);
  const { options, processOptions } = factsOf(target);
  return [
    'npx tls-toll sizes',
    ...(target.kind === 'managed'
      ? [`--server ${target.server}`, ...(target.key === 'P-256' ? [] : [`--key ${target.key}`])]
      : [...options, ...processOptions]),
    ...(sizes.join() === studySizes.join() ? [] : [`--sizes ${sizes.join(',')}`]),
    ...(chosen.length === 0 ? [] : [`--suites ${chosen.join(',')}`]),
    ...(rounds === 12 ? [] : [`--rounds ${rounds}`]),
    `--seed ${seed}`,
  ].join(' ');
}
