import { type Options, type PlacedOption, placeOnSide, placeOptions } from '../../base/option.ts';
import { tlsOptions } from '../../base/tls.ts';
import { sideNames } from '../../base/transport.ts';
import { mostGeneratorHosts, seedOption, usersOption } from '../../measurement/load-options.ts';
import { serverOptions } from '../../target/server-options.ts';
import { linkNames, linkWord } from './link-text.ts';

/** Named choices of a load, for a form that needs none of the schemas. */

/** A run of a length ends once it knows its headline to ± `precision`, after `atMostS` at the latest. If it is continued, it goes on for `continuesS`. */
export const lengths = {
  first: { title: 'First answer', precision: 0.05, atMostS: 60, continuesS: 120 },
  quote: { title: 'To quote', precision: 0.02, atMostS: 240, continuesS: 240 },
  fine: { title: 'Fine', precision: 0.01, atMostS: 900, continuesS: 900 },
} as const;
/** Longest pause between a run and its continuation. After a longer one, the machine may have changed. */
export const longestPauseMs = 15 * 60_000;

export type Length = keyof typeof lengths;
/** Title in the middle of a line. */
export function printLength(length: Length): string {
  return lengths[length].title.toLowerCase();
}

export const lengthNames = Object.keys(lengths) as Length[];

export const connectionPolicies = [
  'keep-alive',
  'connection-per-transaction',
  'connection-per-request',
  'requests-per-connection',
] as const;

/** How much load, for how long, in what shape. A new option is an entry here, and what acts on it: `plan` of a run has it too. */
export const loadOptions = {
  length: {
    type: 'choice',
    choices: lengthNames,
    default: 'first',
    spelledOut: true,
    field: false,
    label: 'Length',
    group: 'Plan',
    help: 'How precisely to measure: `first` (±5 %, within a minute), `quote` (±2 %, within 4 minutes), or `fine` (±1 %, within 15 minutes)',
  },
  seed: seedOption,
  connectionPolicy: {
    type: 'choice',
    choices: connectionPolicies,
    default: 'keep-alive',
    labels: {
      'keep-alive': 'The whole run (keep-alive)',
      'connection-per-transaction': 'One transaction, as a visit does',
      'connection-per-request': 'One request',
      'requests-per-connection': 'A fixed number of requests',
    },
    sideNames: {
      'connection-per-transaction': 'one transaction per connection',
      'connection-per-request': 'one request per connection',
      'requests-per-connection': 'a fixed number of requests per connection',
    },
    label: 'Connections live for',
    help: 'How long connections live',
    hint: null,
    group: 'Connections',
  },
  requestsPerConnection: {
    type: 'whole',
    min: 1,
    max: 1_000_000,
    default: 100,
    label: 'Requests on a connection',
    help: 'Requests on a connection before it is closed, with the connection policy `requests-per-connection`',
    when: { option: 'connectionPolicy', is: 'requests-per-connection' },
    hint: null,
    group: 'Connections',
  },
  link: {
    type: 'text',
    taken: `${linkNames.join(', ')}, 25ms, or 25ms,50mbit,1%,iw20,bbr. Round trips of 0 to 2,000 ms`,
    suggestions: linkNames,
    print: linkWord,
    label: 'Link to the target',
    help: '[Path](distance.md) to the target: `lan`, `metro`, `continent`, `mobile`, a round trip such as `25ms`, or `25ms,50mbit,1%,iw20,bbr`',
    hint: 'Adds the round trip of a longer path: a name, 25ms, or 25ms,50mbit,1%,iw20,bbr.',
    usual: 'none',
    takes: 'name|ms',
    group: 'Connections',
    workedOut: true,
  },
  users: {
    ...usersOption,
    hint: 'Each has its own connection. Leave empty to use the number that keeps the server busy.',
    usual: 'found by the first run of a question, then kept',
    group: 'Load',
  },
  alone: {
    type: 'flag',
    default: false,
    label: 'Measure the listener only',
    help: 'Measure only the listening process, without the [programs that work behind it](method.md#who-works)',
    hint: 'Excludes the programs that work behind the listening process.',
    group: 'Load',
  },
  findLoad: {
    type: 'flag',
    default: false,
    label: 'Find the load again',
    help: 'Find the number of users again, instead of using the one that earlier runs found',
    hint: 'Starts a new series if the number differs.',
    group: 'Load',
    workedOut: true,
  },
  ratePerS: {
    type: 'number',
    above: 0,
    max: 1_000_000,
    unit: 'transactions/s',
    default: null,
    label: 'Rate',
    help: 'Request rate on both sides, in place of half load',
    flag: '--rate',
    workedOut: true,
    hint: 'Transactions per second on both sides. A first answer measures at a rate only if you give one.',
    usual: 'half of what the slower side can handle; none in a first answer',
    group: 'Load',
  },
  rampMs: {
    type: 'whole',
    min: 0,
    max: 10_000,
    unit: 'ms',
    default: 0,
    flag: '--ramp',
    takes: 'ms',
    label: 'Ramp-up time',
    help: 'Ramp-up time of half load, or of the rate that you give',
    hint: 'Time to reach the full rate.',
    group: 'Load',
  },
  thinkTimeScale: {
    type: 'number',
    min: 0,
    max: 10,
    default: null,
    flag: '--think-time',
    takes: 'factor',
    label: 'Think time factor',
    help: 'Factor for the scenario’s think times; 0 skips them',
    hint: 'Multiplies the scenario’s pauses.',
    usual: '1 if they fit into the turns, otherwise 0',
    group: 'Load',
    workedOut: true,
  },
  generators: {
    type: 'whole',
    min: 1,
    max: 16,
    default: null,
    workedOut: true,
    label: 'Generator processes',
    help: 'Processes of the load generator',
    hint: null,
    usual: 'a third of the cores',
    group: 'Load',
  },
  generatorHosts: {
    type: 'whole',
    min: 1,
    max: mostGeneratorHosts,
    workedOut: true,
    label: 'Generator hosts',
    help: 'Number of [hosts](generators.md) that generate the load, of those that have joined',
    hint: 'Number of joined hosts that generate the load. One is enough for the default limits.',
    usual: 'none: this machine generates the load',
    placeholder: 'none',
    group: 'Load',
  },
  generatorPods: {
    type: 'whole',
    min: 1,
    max: mostGeneratorHosts,
    workedOut: true,
    label: 'Generator pods',
    help: 'Number of [Kubernetes pods](generators.md#from-a-kubernetes-cluster) to create for this run to generate the load',
    hint: 'Number of pods to create in the Kubernetes cluster for this run. Each needs a node.',
    usual: 'none',
    placeholder: 'none',
    group: 'Load',
  },
  launches: {
    type: 'whole',
    min: 1,
    max: 50,
    default: null,
    workedOut: true,
    flag: '--starts',
    label: 'Starts',
    help: 'How often to start the target',
    hint: 'How often the target is started. A server that is already running is not started.',
    usual: '2, 3, or 4 at least, by length, until the headline is known',
    group: 'Starts and verdict',
  },
  precision: {
    type: 'share',
    min: 0.002,
    max: 0.5,
    default: null,
    takes: 'share',
    label: 'Precision',
    help: 'Stop once this run alone knows the headline to ± this share, such as `2%`',
    hint: 'The run stops at this half-width, or when its time is up. The printed interval also includes the variance between runs.',
    usual: '5, 2, or 1 %, by length',
    group: 'Starts and verdict',
  },
  atMostS: {
    type: 'whole',
    min: 10,
    max: 1800,
    unit: 's',
    default: null,
    flag: '--at-most',
    takes: 's',
    label: 'Time limit',
    help: 'Longest time to measure, such as `90s`',
    hint: null,
    usual: '1, 4, or 15 min, by length or precision',
    group: 'Starts and verdict',
  },
  tolerance: {
    type: 'share',
    min: 0.001,
    max: 1,
    default: 0.05,
    label: 'Tolerance',
    help: 'Largest difference that does not matter',
    hint: 'Largest difference that does not matter.',
    group: 'Starts and verdict',
  },
  pairUsers: {
    type: 'whole',
    min: 1,
    max: 64,
    default: 1,
    label: 'Users who alternate',
    help: 'Users who alternate between the sides, where latency is measured',
    hint: 'Users who alternate between the sides, where latency is measured. One is the most precise.',
    group: 'Starts and verdict',
  },
  windowMs: {
    type: 'whole',
    min: 50,
    max: 2000,
    unit: 'ms',
    default: 200,
    flag: '--window',
    takes: 'ms',
    label: 'Reading interval',
    help: 'Time between two CPU readings with one user',
    hint: 'Time between two CPU readings with one user.',
    group: 'Starts and verdict',
  },
} as const satisfies Options;

/** Every option of a comparison, where its request has it. */
export const comparisonOptions: readonly PlacedOption[] = [
  ...placeOptions('tls', tlsOptions),
  ...placeOptions(null, loadOptions),
  ...placeOptions('target', serverOptions),
];

/** Options that may differ between the sides, for each side. */
export const sideOptions: readonly PlacedOption[] = sideNames.flatMap((side) =>
  placeOnSide(side, comparisonOptions),
);

/** Said first of all. */
export const planOptions = comparisonOptions.filter(({ option }) => option.group === 'Plan');
export const otherOptions = comparisonOptions.filter((each) => !planOptions.includes(each));
