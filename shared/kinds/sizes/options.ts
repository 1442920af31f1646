import type { Options } from '../../base/option.ts';
import { seedOption } from '../../measurement/seed-option.ts';

export const sizesOptions = {
  rounds: {
    type: 'whole',
    min: 5,
    max: 100,
    default: 12,
    label: 'Rounds',
    help: 'Rounds; each visits every size',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;
