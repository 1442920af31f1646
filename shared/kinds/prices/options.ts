import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';
import { oneServer, serverOptions } from '../../target/server-options.ts';

export const pricesTable = {
  document: {
    type: 'text',
    pattern: /^\/[^\s#]{0,2000}$/,
    taken: 'a path, such as /video.mp4',
    default: null,
    takes: 'path',
    label: 'Large document',
    help: 'Path of a document of 1 MB or more that both sides serve. Its first bytes, requested by `Range`, are the sizes',
    hint: null,
    usual: 'documents of the server that is started',
    group: 'Plan',
  },
  seconds: {
    type: 'whole',
    min: 10,
    max: 900,
    unit: 's',
    default: 75,
    label: 'Duration',
    help: 'How long to measure',
    hint: null,
    group: 'Plan',
  },
  memory: {
    type: 'flag',
    default: false,
    label: 'Memory of open connections',
    help: 'Also measure the memory of an open, idle connection, in three fresh processes per side: about a minute longer',
    hint: 'In three fresh processes per side, about a minute longer.',
    group: 'Plan',
  },
  columns: {
    type: 'list',
    item: {
      type: 'choice',
      choices: ['key', 'group', 'version'],
      labels: { key: 'Key', group: 'Key agreement', version: 'TLS version' },
    },
    most: 3,
    distinct: true,
    ticked: true,
    default: null,
    label: 'Connections by',
    help: 'Also measure new and resumed connections by certificate key, key agreement group, or TLS version, 15 s each',
    hint: 'Prices new and resumed connections with each, 15 s longer per value.',
    usual: 'none',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

/** Documents are those of the list. */
const { documents: _, key: __, ...others } = serverOptions;
const { group } = oneServer.server;
const ofServer = Object.fromEntries(
  Object.entries(others).map(([name, option]) => [name, { ...option, group }]),
);

export const pricesOptions = [
  ...placeOptions('target', { ...oneServer, server: { ...oneServer.server, flag: '--target' }, ...ofServer }),
  ...placeOptions(null, pricesTable),
];
