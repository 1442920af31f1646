import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';

export const visitsTable = {
  blocks: {
    type: 'whole',
    min: 6,
    max: 40,
    default: 10,
    spelledOut: true,
    label: 'Blocks',
    help: 'Blocks of six visits: two for each of the baseline, the comparison and its twin',
    hint: 'Each has six visits: two for each side, and two for a second listener of the baseline.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const visitsOptions = placeOptions(null, visitsTable);
