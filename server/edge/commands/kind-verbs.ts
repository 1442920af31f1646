import { basename } from 'node:path';
import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import { idInText } from '../../../shared/base/addresses.ts';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { handshakesRequestSchema } from '../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions, handshakesOptions, presetOptions } from '../../../shared/kinds/handshakes/options.ts';
import { pricesOptions } from '../../../shared/kinds/prices/options.ts';
import { type PricesDocument, pricesRequestSchema } from '../../../shared/kinds/prices/prices.ts';
import { serversOptions } from '../../../shared/kinds/servers/options.ts';
import { type ServersPreset, serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { serversRequestSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { sizesOptions } from '../../../shared/kinds/sizes/options.ts';
import { sizesRequestSchema } from '../../../shared/kinds/sizes/sizes.ts';
import { visitsOptions, visitsServerOptions, visitsTable } from '../../../shared/kinds/visits/options.ts';
import { type VisitsRequest, visitsRequestSchema } from '../../../shared/kinds/visits/visits.ts';
import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import { predictionsSection } from '../../../shared/report/prices-report.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { importFile } from '../../intake/import/apart/import-apart.ts';
import { judgePrices, type PriceCondition, parsePriceCondition } from '../../method/gate.ts';
import { readText } from '../settings/token-file.ts';
import { withDashboard } from './api-client.ts';
import type { Format } from './follow.ts';
import { openGateOf, readGate } from './gate-options.ts';
import {
  addOptions,
  demandOneSite,
  measure,
  measuringVerb,
  readMeasuring,
  readOptions,
  resume,
} from './measure-kind.ts';
import { pidsIn } from './option-values.ts';
import { readSecrets, savePicture } from './side-options.ts';
import { targetOf } from './target-options.ts';
import { collect, verb } from './verb.ts';

const handshakeOptions = measuringVerb(
  'handshakes',
  'Measures what TLS connections cost, with both ends in one process, connected through memory, and prints a table.',
  handshakesOptions,
)
  .option('--reuse', 'Resumed connections only')
  .option('--no-reuse', 'Full handshakes only');

export async function handshakes(args: string[]): Promise<number> {
  const { request, format, labels } = parseHandshakes(args);
  const { handshakes: kind } = await import('../../kinds/handshakes/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseHandshakes(args: string[]) {
  const parsed = handshakeOptions.parse(args, { from: 'user' });
  const { reuse } = parsed.opts();
  const { grid: preset } = readOptions(parsed, presetOptions);
  const axes = {
    ...(readOptions(parsed, gridOptions).grid as object | undefined),
    ...(reuse === undefined ? {} : { resumption: [reuse ? 'resumed' : 'full'] }),
  };
  const hasAxes = Object.keys(axes).length > 0;
  if (hasAxes && preset !== undefined) {
    throw problem('invalid_arguments', '--preset selects a whole grid. Remove it to choose the axes.');
  }
  const own = { kind: 'handshakes', grid: hasAxes ? axes : preset };
  return readMeasuring(parsed, gridOptions, handshakesRequestSchema, own);
}

const sizeOptions = measuringVerb(
  'sizes',
  'Measures request time by document size, over HTTP and HTTPS on an open connection, and fits the line of the 1998 study: Offset + Size ÷ Rate.',
  sizesOptions,
)
  .option('--resume <id>', 'Resume a sweep that ended early')
  .optionsGroup('Instead of starting a server (origins must answer /{bytes}.html with that many bytes):')
  .option('--http <origin>', 'HTTP origin, such as http://127.0.0.1:8080')
  .option('--https <origin>', 'HTTPS origin')
  .option('--ca <file>', 'Certificate authority to trust, PEM')
  .option('--pid <list>', 'Processes whose CPU is read (default: the listening process)', pidsIn);

export async function sizes(args: string[]): Promise<number> {
  const { request, resumed, format, labels } = parseSizes(args);
  const { sizes: kind } = await import('../../kinds/sizes/kind.ts');
  return resumed === null ? measure(kind, request, format, { labels }) : resume(kind, resumed, format);
}

/** With the id of the one to go on with; null for a new one. Throws invalid_arguments, file_unreadable. */
export function parseSizes(args: string[]) {
  const parsed = sizeOptions.parse(args, { from: 'user' });
  const { http, https, ca, pid, resume: resumed = null } = parsed.opts();
  const stands = http !== undefined || https !== undefined;
  const { target: ofServer } = readOptions(parsed, sizesOptions) as { target?: object };
  const target = stands
    ? targetOf({ http, https, ca, pid })
    : { kind: 'managed', server: 'nginx', ...ofServer };
  return { ...readMeasuring(parsed, sizesOptions, sizesRequestSchema, { kind: 'sizes', target }), resumed };
}

const priceOptions = measuringVerb(
  'prices',
  'Measures what TLS costs a server, item by item: a request, the size of a body, and a new connection, over HTTP and HTTPS at full load.',
  pricesOptions,
)
  .option(
    '--predictions <list>',
    'Compare a stored list (ID or link) with later runs of its server, and measure nothing',
  )
  .optionsGroup('Instead of starting a server:')
  .option('--http <origin>', 'HTTP origin, such as http://127.0.0.1:8080')
  .option('--https <origin>', 'HTTPS origin')
  .option('--ca <file>', 'Certificate authority to trust, PEM')
  .option('--trust <sha256>', 'Trust the certificate with this fingerprint, for this run only')
  .option('--pid <list>', 'Processes whose CPU is read (default: the listening process)', pidsIn)
  .optionsGroup('In a build:')
  .option(
    '--fail-if <condition>',
    'Exit with 3 if this is certain of what HTTPS adds to an item, such as "connection > 20x request" or "request > 80%"; repeatable',
    collect,
  )
  .option('--strict', 'Fail on the point estimate instead of the whole interval')
  .option(
    '--against <id|file|baseline>',
    'Limit the change since this list: an ID, a JSON file, or "baseline" for the pinned one of this server',
  )
  .option('--junit <file>', 'Write the outcome as JUnit XML');

export async function prices(args: string[]): Promise<number> {
  const { request, format, labels, gate, predictions } = parsePrices(args);
  if (predictions !== null) return showPredictions(predictions, format);
  const { prices: kind } = await import('../../kinds/prices/kind.ts');
  const { readEarlier, judge } = openGateOf<PricesDocument, PriceCondition>(
    gate,
    { kind, judge: judgePrices },
    blankAnnotation,
  );
  return measure(kind, request, format, {
    labels,
    async secretsFor(api) {
      await readEarlier(api);
      return {};
    },
    judge,
  });
}

async function showPredictions(list: string, format: Format<PricesDocument>): Promise<number> {
  const id = idInText(list);
  if (id === null)
    throw problem('invalid_arguments', '--predictions is the ID of a price list, or a link to it.');
  const found = await withDashboard((api) => api.call(runEndpoints.showPredictions, { params: { id } }));
  const report = {
    ...{ title: 'Predicted and measured', lead: [], about: [], notes: [] },
    sections: [{ ...predictionsSection(found), heading: null }],
  };
  const print = format === 'markdown' ? printMarkdown : printTerminal;
  process.stdout.write(format === 'json' ? `${JSON.stringify(found)}\n` : print(report));
  return 0;
}

/** With the list that is compared with later runs; null to measure one. Throws invalid_arguments, file_unreadable. */
export function parsePrices(args: string[]) {
  const parsed = priceOptions.parse(args, { from: 'user' });
  const { http, https, ca, trust, pid } = parsed.opts();
  const { target: asked = {} } = readOptions(parsed, pricesOptions) as { target?: { server?: string } };
  const { server = (http ?? https) === undefined ? 'nginx' : undefined, ...ofServer } = asked;
  const target = targetOf({ target: server, http, https, ca, trust, pid }, ofServer);
  const { against, junit, predictions = null } = parsed.opts();
  const gate = readGate(parsed.opts(), parsePriceCondition);
  const multiple = gate.conditions.find(({ of }) => of === 'multiple');
  if (multiple !== undefined && against !== undefined) {
    throw problem(
      'invalid_arguments',
      `--fail-if: “${multiple.text}” compares two items of one list. Leave out --against, or give a percentage.`,
    );
  }
  const read = readMeasuring(parsed, pricesOptions, pricesRequestSchema, { kind: 'prices', target });
  if ((read.labels ?? []).length > 1) demandOneSite({ '--junit': junit });
  return { ...read, gate, predictions };
}

const visitOptions = measuringVerb(
  'visits',
  'Performs a journey in a real browser on both sides in random order, with an empty cache and again with a filled one, and prints the cost for a visitor: time to first byte, paints, and load. The sides are HTTP and HTTPS, HTTP/2, or HTTP/3.',
  visitsOptions,
)
  .argument(
    '[journey]',
    'A Playwright test, a recording from Chrome DevTools or the ID of a recorded scenario (default: a search in the storefront)',
  )
  .option(
    '--target <server>',
    'Server to start, with a page of images and the server options of `compare`: only `caddy` speaks HTTP/3 (default: the storefront)',
  )
  .option('--http <url>', 'Origin of an HTTP side')
  .option('--https <url>', 'Origin of the sides with TLS')
  .option('--ca <file>', 'PEM file of the CA that signed the certificate of the HTTPS side')
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable',
    collect,
  );

addOptions(visitOptions, visitsServerOptions, { hidden: true });

export async function visits(args: string[]): Promise<number> {
  const { request: asked, source, secrets, format, labels } = parseVisits(args);
  const request: VisitsRequest = { ...asked, journey: await readJourney(source) };
  const { visits: kind } = await import('../../kinds/visits/kind.ts');
  return measure(kind, request, format, {
    labels,
    secretsFor: async () => secrets,
    told: ({ stuck }) => savePicture(stuck),
  });
}

/** A file when it looks like one, else an id; null for the built-in one. */
async function readJourney(source: string | null): Promise<VisitsRequest['journey']> {
  if (source === null) return null;
  const isFile = /[./\\]/.test(source);
  const facts = { name: basename(source), choices: trafficChoicesSchema.parse({}) };
  const { scenario, actions } = isFile
    ? await importFile(source, facts)
    : await withDashboard((api) => api.call(scenarioEndpoints.showScenario, { params: { id: source } }));
  if (actions.length === 0) {
    throw problem(
      'invalid_arguments',
      `${source} contains no browser actions. Record it in a browser, or pass a test.`,
    );
  }
  const name = scenario?.name ?? facts.name;
  return { name, actions, scenario: permalinkIdSchema.safeParse(source).data ?? null };
}

/** Throws invalid_arguments, file_unreadable. */
export function parseVisits(args: string[]) {
  const parsed = visitOptions.parse(args, { from: 'user' });
  const [source = null] = parsed.processedArgs;
  const { secret = [], target: server, http, https, ca } = parsed.opts();
  const { target: ofServer, ...given } = readOptions(parsed, [...visitsOptions, ...visitsServerOptions]);
  const spoken = [
    given.baseline ?? visitsTable.baseline.default,
    given.comparison ?? visitsTable.comparison.default,
  ];
  const schemes = new Set(spoken.map((each) => (each === 'http' ? 'http' : 'https')));
  const target = targetOf({ target: server, http, https, ca }, ofServer as object | undefined, schemes);
  const own = { kind: 'visits', target };
  return {
    ...readMeasuring(parsed, visitsOptions, visitsRequestSchema.omit({ journey: true }), own),
    source,
    secrets: readSecrets(secret),
  };
}

const serverOptions = measuringVerb(
  'servers',
  'Starts real servers and compares HTTP with HTTPS across combinations of factors.',
  serversOptions,
)
  .option(
    '--preset <name>',
    'servers (108 combinations, the default), quick (12 combinations), keys (every server with ECDSA and RSA), or malmgren-2011 (the study of 2011)',
  )
  .option('--plan <file>', 'JSON file with a plan of combinations')
  .option('--one-at-a-time', 'One factor at a time around the base, not every combination')
  .option('--resume <id>', 'Resume a sweep that ended early');

export async function servers(args: string[]): Promise<number> {
  const { request, resumed, format, labels } = parseServers(args);
  const { servers: kind } = await import('../../kinds/servers/kind.ts');
  return resumed === null ? measure(kind, request, format, { labels }) : resume(kind, resumed, format);
}

/** With the id of the one to go on with; null for a new one. Throws invalid_arguments, file_unreadable. */
export function parseServers(args: string[]) {
  const parsed = serverOptions.parse(args, { from: 'user' });
  const { preset, plan, resume: resumed = null, oneAtATime } = parsed.opts();
  const { plan: given } = readOptions(parsed, serversOptions);
  if (oneAtATime === true && given === undefined) {
    throw problem(
      'invalid_arguments',
      '--one-at-a-time needs lists of levels, such as --keys P-256,RSA-2048.',
    );
  }
  if ([preset, plan, given].filter((each) => each !== undefined).length > 1) {
    throw problem(
      'invalid_arguments',
      '--preset, --plan and lists of levels exclude each other: use one of them.',
    );
  }
  const own = {
    kind: 'servers',
    plan:
      given !== undefined
        ? { ...given, shape: oneAtATime ? 'each' : 'grid' }
        : plan === undefined
          ? presetOf(preset ?? 'servers')
          : readPlan(plan),
  };
  return { ...readMeasuring(parsed, serversOptions, serversRequestSchema, own), resumed };
}

function presetOf(name: string) {
  if (Object.hasOwn(serversPresets, name)) return serversPresets[name as ServersPreset];
  throw problem('invalid_arguments', `--preset is one of ${Object.keys(serversPresets).join(', ')}.`);
}

function readPlan(path: string): unknown {
  try {
    return JSON.parse(readText(path, '--plan'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw problemOfError('invalid_arguments', `${path} is not JSON`, error);
  }
}

const continueOptions = verb('continue')
  .description(
    'Continues a finished run of the last 15 minutes on this machine: 2, 4, or 15 minutes longer, by its length. The result contains both parts, and its intervals are at 99 %, because the first part was looked at.',
  )
  .argument('<run>', 'ID of the run, or a link to it')
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable',
    collect,
  )
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown');

export async function continueRun(args: string[]): Promise<number> {
  const { id, secrets, format } = parseContinue(args);
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  return measure(comparison, { continues: id }, format, { secretsFor: async () => secrets });
}

/** Throws invalid_arguments. */
export function parseContinue(args: string[]) {
  const [run] = continueOptions.parse(args, { from: 'user' }).processedArgs;
  const { secret = [], json, markdown } = continueOptions.opts();
  if (json && markdown) throw problem('invalid_arguments', 'Choose one of --json and --markdown.');
  const id = idInText(run);
  if (id === null) throw problem('invalid_arguments', 'Give the ID of a run, or a link to it.');
  const format = json ? ('json' as const) : markdown ? ('markdown' as const) : ('terminal' as const);
  return { id, secrets: readSecrets(secret), format };
}
