import { placeOptions } from '../../../../shared/base/option.ts';
import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { sizesOptions } from '../../../../shared/kinds/sizes/options.ts';
import { type SizesRequest, studySizes } from '../../../../shared/kinds/sizes/sizes.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';

/** The command that repeats a sweep: the same visits in the same order. */
export function sizesCommand(request: SizesRequest, seed: number): string {
  const { target, sizes, suites } = request;
  const chosen = suites.filter((suite) => suite !== null);
  const { options, processOptions } = factsOf(target);
  return [
    'npx tls-toll sizes',
    ...(target.kind === 'managed'
      ? [`--server ${target.server}`, ...(target.key === 'P-256' ? [] : [`--key ${target.key}`])]
      : [...options, ...processOptions]),
    ...(sizes.join() === studySizes.join() ? [] : [`--sizes ${sizes.join(',')}`]),
    ...(chosen.length === 0 ? [] : [`--suites ${chosen.join(',')}`]),
    ...flagsOf(placeOptions(null, sizesOptions), { ...request, seed }),
  ].join(' ');
}
