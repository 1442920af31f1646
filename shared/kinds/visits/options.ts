import type { Options } from '../../base/option.ts';
import { seedOption } from '../../measurement/seed-option.ts';

export const visitsOptions = {
  blocks: {
    type: 'whole',
    min: 6,
    max: 40,
    default: 10,
    spelledOut: true,
    label: 'Blocks',
    help: 'Blocks of six visits: two for each of the baseline, the comparison and its twin',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;
