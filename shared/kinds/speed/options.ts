import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';

export const speedTable = {
  names: {
    type: 'list',
    // Read by the plan, which knows the nearest.
    item: { type: 'text', pattern: /^.{1,60}$/, taken: 'names, such as SHA-256 or cipher' },
    most: 100,
    written: 'words',
    positional: true,
    default: null,
    label: 'Primitives',
    help: 'Primitives, such as `SHA-256`, `RSA-2048`, or `X25519MLKEM768`, a curve (`P-256`), or a group: `digest`, `cipher`, `signature`, `agreement`, or `kem`',
    hint: 'Such as SHA-256, RSA-2048, P-256, or a group: digest, cipher, signature, agreement, kem.',
    usual: 'all',
    group: 'Plan',
  },
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

export const speedOptions = placeOptions(null, speedTable);
