import type { Options } from '../../base/option.ts';
import { seedOption } from '../../measurement/seed-option.ts';

export const serversOptions = {
  rounds: {
    type: 'whole',
    min: 3,
    max: 50,
    default: 6,
    label: 'Rounds',
    help: 'Rounds; each visits every cell',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;
