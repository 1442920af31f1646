import { type Options, placeOptions } from '../../base/option.ts';
import { tlsOptions } from '../../base/tls.ts';
import { seedOption } from '../../measurement/load-options.ts';
import { oneServer } from '../../target/server-options.ts';

/** The 24 of the study: Goldberg, Buff and Schmitt, WebPerf, 1998. */
export const studySizes: readonly number[] = [
  ...Array.from({ length: 20 }, (_, index) => 1000 * (index + 1)),
  ...[40_000, 60_000, 80_000, 100_000],
];

export const sizesTable = {
  sizes: {
    type: 'list',
    item: { type: 'whole', min: 1, max: 10_000_000 },
    min: 2,
    most: 200,
    distinct: true,
    ascending: true,
    unit: 'bytes',
    default: studySizes,
    takes: 'bytes',
    lines: 2,
    label: 'Document sizes',
    help: 'Document sizes, such as `1000,20000`',
    hint: 'The 24 sizes of the 1998 study, or your own.',
    usual: 'the 24 of the 1998 study',
    group: 'Plan',
  },
  suites: {
    type: 'list',
    item: { ...tlsOptions.cipher, taken: 'names, such as TLS_AES_256_GCM_SHA384', none: 'any' },
    most: 4,
    distinct: true,
    default: [null],
    label: 'Cipher suites',
    help: 'Cipher suites, one HTTPS side for each',
    hint: 'One HTTPS side for each.',
    usual: 'the library’s choice',
    group: 'Plan',
  },
  rounds: {
    type: 'whole',
    min: 5,
    max: 100,
    default: 12,
    label: 'Rounds',
    help: 'Rounds; each measures every size',
    hint: 'About 5 s each with the 24 sizes.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const sizesOptions = [...placeOptions('target', oneServer), ...placeOptions(null, sizesTable)];
