import type { Options } from '../../base/option.ts';
import { seedOption } from '../../measurement/seed-option.ts';

export const speedOptions = {
  seconds: {
    type: 'number',
    min: 1,
    max: 3600,
    unit: 's',
    default: null,
    label: 'Duration',
    help: 'About how long it may take',
    usual: '150',
    group: 'Plan',
  },
  openssl: {
    type: 'flag',
    default: true,
    flag: '--no-openssl',
    offHelp: 'Leave the openssl program out',
    label: 'Compare with openssl',
    help: 'Measure the same with `openssl speed` in turn, where there is an openssl',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;
