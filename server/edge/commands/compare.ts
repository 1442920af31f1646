import { Option as Flag } from '@commander-js/extra-typings';
import { termOf, valueIn } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import { type BySide, sideNames } from '../../../shared/base/transport.ts';
import {
  comparisonOptions,
  otherOptions,
  planOptions,
  sideOptions,
} from '../../../shared/kinds/comparison/options.ts';
import {
  otherServerThan,
  type Place,
  type Question,
  type QuestionName,
  questionNames,
  questionProblem,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import { readResumedShare } from '../../../shared/kinds/comparison/resumed-share.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import {
  annotationChangeSchema,
  blankAnnotation,
  changeAnnotation,
} from '../../../shared/measurement/annotation.ts';
import { pathScenario, pathSchema, type SecretValues } from '../../../shared/scenario/scenario.ts';
import { type ServerName, serverNames } from '../../../shared/target/server-options.ts';
import { clientKeysOf, readJson, readText, tokenSecretOf } from '../settings/token-file.ts';
import { gateOf, openGate } from './gate-options.ts';
import { addOptions, demandOneSite, measure, problemOfOptions, readOptions } from './measure-kind.ts';
import {
  demandWritable,
  labelsOption,
  numberIn,
  oneOf,
  parsedBy,
  pidsIn,
  repeatOf,
  repeatOptions,
} from './option-values.ts';
import {
  askForSecrets,
  hasAddress,
  librariesIn,
  mergeSides,
  type OwnSide,
  readSecrets,
  schemesOf,
  sidesIn,
} from './side-options.ts';
import { targetOf, withBothAddresses, withTarget } from './target-options.ts';
import { collect, verb } from './verb.ts';

/** Reads `--question`. */

type Given = {
  question?: QuestionName | undefined;
  noiseCheck?: boolean | undefined;
  target?: ServerName | 'storefront' | undefined;
  http?: string | undefined;
  https?: string | undefined;
};

type Asked = Pick<Question, 'sides'> & NonNullable<Question['both']>;

const nothing: Asked = { sides: { baseline: {}, comparison: {} } };

/**
 * Part of the request that a question sets. Options given explicitly override it.
 * @param own options given for each side
 * @param ofTable options given from the table
 * Throws invalid_arguments if the question does not fit the other options.
 */
export function questionIn(given: Given, own: BySide<OwnSide>, ofTable: object): Asked {
  const { question: name } = given;
  if (name === undefined) return nothing;
  if (given.noiseCheck)
    throw problem('invalid_arguments', '--noise-check is itself a question. Remove --question.');
  const place = placeOfSides(given, own);
  const wrong =
    questionProblem(name, place) ?? sharedOption(name, ofTable) ?? missingLibrary(name, own, ofTable);
  if (wrong !== null) throw problem('invalid_arguments', wrong);
  const { sides, both } = questions[name];
  return { ...both, sides: name === 'server' ? withServers(sides, place, own) : sides };
}

function placeOfSides({ target, http, https }: Given, own: BySide<OwnSide>): Place {
  if (target !== undefined) return target;
  const hasOrigins = (http ?? https) !== undefined || sideNames.some((side) => hasAddress(own[side]));
  return hasOrigins ? 'origins' : 'storefront';
}

/** An option that the question is about, given for both sides. */
function sharedOption(name: QuestionName, ofTable: object): string | null {
  const { sides, title } = questions[name];
  const differing = sideOptions.filter((placed) => valueIn({ sides }, placed) !== undefined);
  const shared = comparisonOptions.find(
    (each) => valueIn(ofTable, each) !== undefined && differing.some(({ option }) => option === each.option),
  );
  if (shared === undefined) return null;
  const [flag, ...ofSides] = [shared, ...differing.filter(({ option }) => option === shared.option)].map(
    (placed) => termOf(placed).split(' ')[0],
  );
  return `“${title}” is about sides that differ by ${flag}. Give ${ofSides.join(' and ')} instead.`;
}

function missingLibrary(name: QuestionName, own: BySide<OwnSide>, ofTable: object): string | null {
  const both = ofTable as { sides?: Partial<BySide<OwnSide>>; target?: object };
  const given = [both, ...Object.values(own), ...Object.values(both.sides ?? {})].some(
    ({ target }) => target !== undefined && 'library' in target,
  );
  if (name !== 'library' || given) return null;
  return `“${questions.library.title}” needs a library for a side: --comparison-libssl DIRECTORY, or --comparison-library NAME of a dashboard that knows one.`;
}

function withServers(sides: Question['sides'], place: Place, own: BySide<OwnSide>): Question['sides'] {
  if (place === 'storefront') return sides;
  if (place !== 'origins') {
    const { comparison } = sides;
    return { ...sides, comparison: { ...comparison, target: { server: otherServerThan(place) } } };
  }
  if (sideNames.some((side) => hasAddress(own[side]))) return sides;
  const addresses = '--baseline https://127.0.0.1:8443 --comparison https://127.0.0.1:9443';
  throw problem(
    'invalid_arguments',
    `“${questions.server.title}” needs an address for each side, such as ${addresses}.`,
  );
}

/** After the list of options, which has them without their side. */
const ofSides =
  '\nTo set an option of TLS or of the server for one side only, start its name with\n--baseline- or --comparison-, as in --comparison-group X25519MLKEM768. This also\nworks for --ca, --client-cert, --client-key and --pid. --baseline-server and\n--comparison-server name a server for each side.';

const options = addOptions(
  verb('compare').description(
    'Measures the difference between HTTP and HTTPS, or between two configurations, and prints its table. Without --target, --http, and --https, it loads the demo shop. Progress goes to stderr, the result to stdout.',
  ),
  planOptions,
)
  .option(
    '--noise-check',
    'Compare HTTP with HTTP, to see the noise. Up to 1 in 20 such runs finds a difference by chance',
  )
  .option('--title <text>', 'Title of the run in lists (default: its scenario and target)')
  .option('--note <text>', 'Note to keep with the run')
  .option('--tag <name>', 'Tag to find the run by; repeatable', collect)
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown')
  .option('--comment', 'Print the outcome and its figures in Markdown, for a pull request')
  .option('--html <file>', 'Also write the page of the run to a file')
  .optionsGroup('Repeat (while the dashboard runs):')
  .option(...repeatOptions.repeat)
  .option(...repeatOptions.times, numberIn)
  .option(...repeatOptions.until)
  .optionsGroup('In a build:')
  .option(
    '--fail-if <condition>',
    'Exit with 3 if this is certain, such as "cpu_at_load > 20%" or "latency_p50 > 2 ms"; repeatable',
    collect,
  )
  .option('--strict', 'Fail on the point estimate instead of the whole interval')
  .option(
    '--against <id|file|baseline>',
    'Limit the change since this run: an ID, a JSON file, or "baseline" for the reference of its question',
  )
  .option('--junit <file>', 'Write the outcome as JUnit XML')
  .optionsGroup('Target:')
  .option(
    '--target <name>',
    `A server on this machine, started for the run: ${serverNames.join(', ')} (default: storefront)`,
    oneOf([...serverNames, 'storefront']),
  )
  .option('--http <url>', 'Address of the HTTP side (default: that of --https, on port 80 or 8080)')
  .option('--https <url>', 'Address of the HTTPS side (default: that of --http, on port 443 or 8443)')
  .option('--ca <file>', 'PEM file of the CA that signed the HTTPS side’s certificate')
  .option('--client-cert <file>', 'PEM file of the certificate to present, where the HTTPS side demands one')
  .option(
    '--client-key <file>',
    'PEM file of its key, which is never stored (default: the key in the file of --client-cert)',
  )
  .option(
    '--resumed-from <file>',
    'Log of nginx with $ssl_session_reused, or counters of Envoy: resume as many sessions as it says',
  )
  .option('--trust <sha256>', 'Trust the certificate with this fingerprint, for this run only')
  .option(
    '--control <url>',
    'Second address of the HTTP side’s server, measured as the control (default: the HTTP side again)',
  )
  .option(
    '--pid <list>',
    'Process of the target, or several with commas (default: found by its listening port)',
    pidsIn,
  )
  .option('--agent <host:port>', 'Agent on the target’s host')
  .option('--agent-key <sha256>', 'Fingerprint of the agent’s key, as the agent prints it')
  .option('--agent-token-file <file>', 'File with the agent’s token, readable by its owner only')
  .option('--prometheus <url>', 'Exporter that is read where no agent may run')
  .option(
    '--prometheus-cpu <metric>',
    'Its counter of the target’s CPU seconds (default: process_cpu_seconds_total)',
  )
  .option(
    '--prometheus-memory <metric>',
    'Its gauge of the target’s memory in bytes (default: process_resident_memory_bytes)',
  )
  .option('--prometheus-token-file <file>', 'File with its bearer token, readable by its owner only')
  .optionsGroup('Scenario:')
  .option(
    '--path <path>',
    'Path to request instead of a scenario; repeatable (default: / with --http)',
    collect,
  )
  .option(
    '--scenario <id|file>',
    'ID of a scenario or of one of its revisions, or a JSON file (default: a search in the storefront, a document of a server)',
  )
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable (default: ask on the terminal)',
    collect,
  );
addOptions(options, otherOptions);
options
  .optionsGroup('Sides:')
  .option(
    '--question <name>',
    `Fill in both sides for a question, which other options change: ${questionNames.join(', ')}`,
    oneOf(questionNames),
  )
  .option(
    '--baseline <address|transport>',
    'First side: an address, or http, https, h2c, or h2 (default: http)',
  )
  .option(
    '--comparison <address|transport>',
    'Second side: an address, or http, https, h2c, or h2 (default: https)',
  )
  .option('--baseline-name <text>', 'Name of the first side in results (default: generated)')
  .option('--comparison-name <text>', 'Name of the second side in results (default: generated)')
  .option(
    '--baseline-libssl <dir>',
    'Directory of the libssl that the server of the first side loads, if no dashboard runs (default: its own)',
  )
  .option('--comparison-libssl <dir>', 'The same of the second side')
  .addOption(new Flag('--baseline-server <name>').hideHelp())
  .addOption(new Flag('--comparison-server <name>').hideHelp())
  .addOption(new Flag('--baseline-ca <file>').hideHelp())
  .addOption(new Flag('--comparison-ca <file>').hideHelp())
  .addOption(new Flag('--baseline-client-cert <file>').hideHelp())
  .addOption(new Flag('--comparison-client-cert <file>').hideHelp())
  .addOption(new Flag('--baseline-client-key <file>').hideHelp())
  .addOption(new Flag('--comparison-client-key <file>').hideHelp())
  .addOption(new Flag('--baseline-pid <list>').argParser(pidsIn).hideHelp())
  .addOption(new Flag('--comparison-pid <list>').argParser(pidsIn).hideHelp());
addOptions(options, sideOptions, { hidden: true });
options.addHelpText('after', ofSides);

export async function compare(args: string[]): Promise<number> {
  const { request, secrets, annotation, labels, libraries, format, htmlPath, gate, repeat } =
    parseComparison(args);
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { readEarlier, judge } = openGate(gate, comparison, changeAnnotation(blankAnnotation, annotation));
  const { printComment } = await import('../../kinds/comparison/run-summary.ts');
  return measure(comparison, request, format === 'comment' ? printComment : format, {
    annotation,
    labels,
    libraries,
    async secretsFor(api) {
      await readEarlier(api);
      const values = await askForSecrets(api, request, secrets);
      if (repeat !== null) demandNoSecrets(values);
      return values;
    },
    judge,
    htmlPath,
    repeat,
  });
}

/** Throws invalid_arguments, file_unreadable. */
export function parseComparison(args: string[]) {
  const values = withTarget(options.parse(args, { from: 'user' }).opts());
  const asked = readOptions(options, [...comparisonOptions, ...sideOptions]);
  const given: typeof asked = { ...asked, ...resumptionIn(values.resumedFrom, asked.tls) };
  const { libraries, sides: withLibraries } = librariesIn(values);
  const own = mergeSides(sidesIn(values), withLibraries);
  const { sides: ofQuestion, target: ofServer, ...both } = questionIn(values, own, given);
  const sides = mergeSides(ofQuestion, own, given.sides ?? {});
  const schemes = schemesOf(sides);
  const parsed = runRequestSchema.safeParse({
    ...both,
    // A gate needs a figure that could be quoted.
    ...((values.failIf ?? []).length === 0 ? {} : { length: 'quote' }),
    ...given,
    target: targetOf(
      withBothAddresses(values, schemes),
      { ...ofServer, ...(given.target as object | undefined) },
      schemes,
    ),
    scenario: scenarioOf(values.path, values.scenario),
    sides,
  });
  if (!parsed.success) throw problemOfOptions(parsed.error, [...comparisonOptions, ...sideOptions]);
  if (values.html !== undefined) demandWritable(values.html, '--html');
  if ((values.labels ?? []).length > 1) {
    demandOneSite({ '--html': values.html, '--junit': values.junit, '--repeat': values.repeat });
  }
  const formats = ['json', 'markdown', 'comment'] as const;
  const format = formats.find((name) => values[name] === true) ?? ('terminal' as const);
  return {
    request: parsed.data,
    secrets: { ...readSecrets(values.secret ?? []), ...tokenSecretOf(values), ...clientKeysOf(values) },
    annotation: annotationOf(values),
    labels: values.labels,
    libraries,
    format,
    htmlPath: values.html ?? null,
    gate: gateOf(values),
    repeat: repeatOf(values),
  };
}

/** Throws file_unreadable, invalid_arguments. */
function resumptionIn(path: string | undefined, tls: unknown): Record<string, unknown> {
  if (path === undefined) return {};
  const found = readResumedShare(readText(path, '--resumed-from'));
  if (found === null) {
    throw problem(
      'invalid_arguments',
      `--resumed-from: ${path} says nothing of resumed sessions. Log $ssl_session_reused in nginx, or print the counters of Envoy.`,
    );
  }
  return { tls: { ...(tls as object | undefined), resumption: 'mix', resumedShare: found.share / 100 } };
}

/** Before it is measured rather than afterwards. Throws not_repeatable. */
function demandNoSecrets(values: SecretValues): void {
  const names = Object.keys(values);
  if (names.length === 0) return;
  throw problem(
    'not_repeatable',
    `It needs the values of its secrets (${names.join(', ')}), which are kept in memory only until it ends.`,
  );
}

function annotationOf({ title, note, tag: tags }: { title?: string; note?: string; tag?: string[] }) {
  return parsedBy(annotationChangeSchema, { title, note, tags });
}

function scenarioOf([first, ...others]: readonly string[] = [], scenario: string | undefined): unknown {
  if (first === undefined) return readScenario(scenario);
  if (scenario !== undefined) {
    throw problem('invalid_arguments', '--path and --scenario exclude each other. Give one of them.');
  }
  const wrong = [first, ...others].find((path) => !pathSchema.safeParse(path).success);
  if (wrong !== undefined) {
    throw problem('invalid_arguments', `--path: “${wrong}” is not a path such as /shop.`);
  }
  return pathScenario([first, ...others]);
}

/** A file of JSON when there is one of that name, else an id. */
function readScenario(what: string | undefined): unknown {
  return what === undefined || !/[./\\]/.test(what) ? what : readJson(what, '--scenario');
}
