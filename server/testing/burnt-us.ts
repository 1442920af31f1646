import type { SideName } from '../../shared/base/transport.ts';
import type { ExplainDocument } from '../../shared/kinds/explain/explain.ts';

type Burnt = { us: number; samples: number };

/**
 * CPU per request that a perturbation of the storefront burns, in an explanation. The compiler may have made `burn` a part
 * of its caller, which also calls the application: its callees there, such as Express, are not burned.
 */
export function burntOn(
  side: SideName,
  { stacks, samples, cpuUs }: Pick<ExplainDocument, 'stacks' | 'samples' | 'cpuUs'>,
): Burnt {
  const burnt = stacks[side].filter(({ stack }) => /perturbation\.ts:\d+_\[j\](?!.*\.[jt]s:)/.test(stack));
  const count = burnt.reduce((sum, each) => sum + each.samples, 0);
  return { samples: count, us: (count * (cpuUs?.[side].center ?? Number.NaN)) / samples[side] };
}
