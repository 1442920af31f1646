import { type Options, placeOptions } from '../../base/option.ts';
import { transportFacts, transports } from '../../base/transport.ts';
import { connectionsOption, documentOption } from '../../measurement/load-options.ts';
import { seedOption } from '../../measurement/seed-option.ts';
import { serverKeys, serverNames } from '../../target/server-names.ts';
import { serverTitles, targetLabels } from '../../words/target-words.ts';

const names = {
  http: transportFacts.http.name,
  https: transportFacts.https.name,
  h2c: transportFacts.h2c.name,
  h2: transportFacts.h2.name,
};

/** The shop that this program brings. */
export const storefront = 'storefront';

export const explainTable = {
  server: {
    type: 'choice',
    choices: [...serverNames, storefront],
    default: 'nginx',
    labels: { ...serverTitles, [storefront]: targetLabels.storefront },
    flag: '--target',
    spelledOut: true,
    label: 'Server',
    help: 'Server to start',
    hint: null,
    group: 'What is explained',
  },
  baseline: {
    type: 'choice',
    choices: transports,
    default: 'http',
    labels: names,
    label: 'Baseline',
    help: 'What the baseline speaks',
    hint: null,
    group: 'What is explained',
  },
  comparison: {
    type: 'choice',
    choices: transports,
    default: 'https',
    labels: names,
    label: 'Comparison',
    help: 'What the comparison speaks',
    hint: null,
    group: 'What is explained',
  },
  bytes: { ...documentOption, group: 'Server' },
  path: {
    type: 'text',
    pattern: /^\/(?![/\\])[^\s#]{0,1999}$/,
    taken: 'a path, such as /search',
    default: '/',
    takes: 'path',
    label: 'Path',
    help: 'What is asked of the storefront, or of a running server',
    hint: 'Of the storefront.',
    group: 'Server',
  },
  key: {
    type: 'choice',
    choices: serverKeys,
    default: 'P-256',
    takes: 'kind',
    label: 'Certificate key',
    help: 'Key of its certificate',
    hint: null,
    group: 'Server',
  },
  connectionPolicy: {
    type: 'choice',
    choices: ['keep-alive', 'connection-per-request'],
    default: 'keep-alive',
    labels: { 'keep-alive': 'All requests (keep-alive)', 'connection-per-request': 'One request' },
    label: 'Connections live for',
    help: 'How long connections live',
    hint: null,
    group: 'Plan',
  },
  connections: { ...connectionsOption, group: 'Plan' },
  instructions: {
    type: 'flag',
    default: false,
    label: 'Count instructions instead',
    help: 'Count instructions with Valgrind instead of sampling CPU time: exact on a busy machine as well, but without the kernel',
    hint: 'With Valgrind, of one user, in one launch: exact on a busy machine as well, but without the kernel.',
    group: 'Plan',
  },
  launches: {
    type: 'whole',
    min: 3,
    max: 30,
    default: 5,
    label: 'Launches',
    help: 'How often to start the server',
    hint: 'About 5 s each.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const explainOptions = placeOptions(null, explainTable);
