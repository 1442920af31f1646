import type { Options } from '../../base/option.ts';
import { seedOption } from '../../measurement/seed-option.ts';

export const distanceOptions = {
  rounds: {
    type: 'whole',
    min: 6,
    max: 100,
    default: 12,
    label: 'Rounds',
    help: 'Rounds; each visits every connection on every link',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;
