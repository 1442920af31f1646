import type { SideName } from '../../shared/base/transport.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';

type Burnt = { us: number; samples: number };

/**
 * What an explanation of the storefront finds in the CPU that a perturbation burns, of a request. The compiler may have made `burn` a part
 * of its caller, which also calls the application: what that calls, such as Express, is not burnt.
 */
export function burntOn(
  side: SideName,
  { stacks, samples, cpuUs }: Pick<ExplainDocument, 'stacks' | 'samples' | 'cpuUs'>,
): Burnt {
  const burnt = stacks[side].filter(({ stack }) => /perturbation\.ts:\d+_\[j\](?!.*\.[jt]s:)/.test(stack));
  const count = burnt.reduce((sum, each) => sum + each.samples, 0);
  return { samples: count, us: (count * (cpuUs?.[side].center ?? Number.NaN)) / samples[side] };
}
