import { type Options, placeOptions } from '../../base/option.ts';
import { seedOption } from '../../measurement/load-options.ts';
import { serverOptions } from '../../target/server-options.ts';
import { linkList } from '../comparison/link-text.ts';

/** Protocols that a browser can be made to speak. HTTPS is HTTP/1.1 or HTTP/2, by what the server offers. */
export const visitProtocols = ['http', 'https', 'h2', 'h3'] as const;
export type VisitProtocol = (typeof visitProtocols)[number];

export const visitProtocolNames: Record<VisitProtocol, string> = {
  ...{ http: 'HTTP', https: 'HTTPS', h2: 'HTTP/2', h3: 'HTTP/3' },
};

const side = { type: 'choice', choices: visitProtocols, labels: visitProtocolNames, group: 'Sides' } as const;

export const visitsTable = {
  baseline: {
    ...side,
    default: 'http',
    label: 'First side',
    help: 'What the browser speaks on the first side: `http`, `https`, `h2`, or `h3`',
    hint: null,
  },
  comparison: {
    ...side,
    default: 'https',
    label: 'Second side',
    help: 'What it speaks on the second side. `https` is HTTP/1.1 or HTTP/2, by what the server offers',
    hint: 'HTTPS is HTTP/1.1 or HTTP/2, by what the server offers.',
  },
  objects: {
    type: 'whole',
    min: 1,
    max: 200,
    default: 20,
    label: 'Objects on the page',
    help: 'Images on the page of a server that is started here, each with the size of `--document`',
    hint: 'Images, each with the size of the document.',
    group: 'Sides',
  },
  links: {
    ...linkList,
    most: 12,
    usual: 'none',
    help: '[Paths](distance.md) to visit over, one after the other: `25ms`, or `100ms,10mbit,1%`. Two sides over several delays and losses are a grid',
    hint: 'Round trip, rate, and loss, such as 20ms 100ms 100ms,1%.',
    group: 'Plan',
  },
  resumed: {
    type: 'flag',
    default: false,
    label: 'Resumed visits',
    help: 'Add a third visit, once idle connections are closed: cached files and TLS sessions are left. Needs a server that is started here',
    hint: 'A third visit, after the server has closed its idle connections. Takes some seconds more per visit.',
    group: 'Plan',
  },
  blocks: {
    type: 'whole',
    min: 6,
    max: 40,
    default: 10,
    spelledOut: true,
    flag: '--rounds',
    label: 'Rounds',
    help: 'Rounds of six visits: two to each side and two to the control; on each link',
    hint: 'Each has six visits: two to each side and two to the control.',
    group: 'Plan',
  },
  seed: seedOption,
} as const satisfies Options;

export const visitsOptions = placeOptions(null, visitsTable);

/** A server that is started for visits has the options of every such server. */
export const visitsServerOptions = placeOptions('target', serverOptions);
