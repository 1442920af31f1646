import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';

export const visitsTable = {
  blocks: {
    type: 'whole',
    min: 6,
    max: 40,
    default: 10,
    spelledOut: true,
    flag: '--rounds',
    label: 'Rounds',
    help: 'Rounds of six visits: two to each side and two to the control',
    hint: 'Each has six visits: two to each side and two to the control.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const visitsOptions = placeOptions(null, visitsTable);
