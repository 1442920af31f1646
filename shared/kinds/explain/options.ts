import { type Options, placeOptions } from '../../base/option.ts';
import { transportFacts, transports } from '../../base/transport.ts';
import { seedOption } from '../../measurement/seed-option.ts';
import { serverKeys, serverNames } from '../../target/server-names.ts';
import { serverTitles } from '../../words/target-words.ts';

const names = {
  http: transportFacts.http.name,
  https: transportFacts.https.name,
  h2c: transportFacts.h2c.name,
  h2: transportFacts.h2.name,
};

export const explainTable = {
  server: {
    type: 'choice',
    choices: serverNames,
    default: 'nginx',
    labels: serverTitles,
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
  bytes: {
    type: 'whole',
    min: 1,
    max: 10_000_000,
    unit: 'bytes',
    default: 10_000,
    flag: '--document',
    takes: 'bytes',
    label: 'Document size',
    help: 'Size of the document that it serves',
    hint: null,
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
  connections: {
    type: 'whole',
    min: 1,
    max: 1000,
    default: 8,
    label: 'Connections',
    help: 'Virtual users, each with its own connection',
    hint: null,
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
