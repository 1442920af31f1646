import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { sizesOptions } from '../../../../shared/kinds/sizes/options.ts';
import type { SizesRequest } from '../../../../shared/kinds/sizes/sizes.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';

/** The command that repeats a sweep: the same visits in the same order. */
export function sizesCommand(request: SizesRequest, seed: number): string {
  const { target } = request;
  const { options, processOptions } = factsOf(target);
  return [
    'npx tls-toll sizes',
    ...(target.kind === 'managed' ? [] : [...options, ...processOptions]),
    ...flagsOf(sizesOptions, { ...request, seed }),
  ].join(' ');
}
