import { Argument, Option as Flag } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { batchEndpoints } from '../../../shared/api/batch-endpoints.ts';
import { scheduleEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import {
  defaultInWords,
  flagOf,
  helpOfFlag,
  nestValues,
  type Option,
  type PlacedOption,
  plainHelp,
  termOf,
} from '../../../shared/base/option.ts';
import { fieldErrorsOf, ProblemError, problem, problemOfIssues } from '../../../shared/base/problem.ts';
import {
  type AnnotationChange,
  blankAnnotation,
  changeAnnotation,
} from '../../../shared/measurement/annotation.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { kinds, type TabledKind } from '../../../shared/results/kinds.ts';
import type { BatchSite, CreatedBatch } from '../../../shared/results/schedule.ts';
import type { AnyDocument } from '../../kinds/kind.ts';
import type { Libraries } from '../../targets/managed/tls-library.ts';
import { type ApiClient, withDashboard } from './api-client.ts';
import { type Ending, type Format, follow, type Printed, type Printer, printResult } from './follow.ts';
import { labelsOption, printRepeat, type Repeat, valueIn, writeText } from './option-values.ts';
import { withTrust } from './side-options.ts';
import { verb } from './verb.ts';

/** The verb of a kind whose command line is its table of options. */
export async function measureKind(name: TabledKind, args: string[]): Promise<number> {
  const { request, format, labels } = parseKind(name, kinds[name].request, args);
  const { allKinds } = await import('../start/all-kinds.ts');
  const kind = allKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`no kind is called ${name}`);
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseKind<Schema extends z.ZodObject>(name: TabledKind, request: Schema, args: string[]) {
  const { options, help } = kinds[name].command;
  const parsed = measuringVerb(name, help, options).parse(args, { from: 'user' });
  return readMeasuring(parsed, options, request, { kind: name });
}

/** Further steps after a single result has ended. */
type EndingOfOne<Document> = Ending<Document> & { htmlPath: string | null; repeat: Repeat | null };

/** `url` is that of a dashboard that stays; null for one that ends with the command. */
type Place = { api: ApiClient; url: string | null };

/**
 * Has the dashboard measure it, which measures one thing at a time, follows it on stderr and prints what stands at the
 * permalink then. Resolves to the exit code: 0 finished, 2 refused, 1 failed or canceled.
 *
 * @param annotation what to write on it
 * @param labels of the runner that is to measure; of several sets, each has it measured on a runner of its own
 * @param secretsFor asked once it is known where the request goes
 * @param judge says the exit code of one that has finished
 * @param htmlPath file that its page is written to as well, and `repeat` how often it is measured again, once it has finished;
 *   both for one set of labels only
 * @param libraries directories of TLS libraries that its servers can load, by the names in the request
 * @param told says more of it on stderr, however it ended
 */
export function measure<Document extends AnyDocument>(
  kind: Printed<Document>,
  request: object,
  format: Format<Document>,
  {
    annotation = {},
    labels = [],
    secretsFor = async () => ({}),
    judge = async () => 0,
    htmlPath = null,
    repeat = null,
    libraries = {},
    told = null,
  }: {
    libraries?: Libraries;
    annotation?: AnnotationChange;
    labels?: readonly Labels[] | undefined;
    secretsFor?(api: ApiClient): Promise<Record<string, string>>;
  } & Partial<Omit<EndingOfOne<Document>, 'annotation'>> = {},
): Promise<number> {
  return withDashboard(async (api, url) => {
    if (repeat !== null && url === null) {
      throw problem('dashboard_missing', 'Measurements are repeated by the dashboard, and none is running.');
    }
    const secrets = await secretsFor(api);
    // A runner with labels may be another machine than the one that looks.
    const trusting = labels.length === 0 ? await withTrust(api, request) : request;
    const asked = { ...trusting, kind: kind.name, secrets, annotation };
    const ending = {
      annotation: changeAnnotation(blankAnnotation, annotation),
      judge,
      htmlPath,
      repeat,
      told,
    };
    const place = { api, url };
    if (labels.length > 1) {
      return followSites(
        kind,
        format,
        await api.call(batchEndpoints.createBatch, { body: { ...asked, labels: [...labels] } }),
        ending,
        place,
      );
    }
    const [only] = labels;
    const created = await api.call(measurementEndpoints.createMeasurement, {
      body: { ...asked, ...(only && { labels: only }) },
    });
    return followOne(kind, format, created, ending, place);
  }, libraries);
}

/** The same with one that ended early: it goes on where it was. */
export function resume<Document extends AnyDocument>(
  kind: Printed<Document>,
  id: string,
  format: Format<Document>,
): Promise<number> {
  const ending = {
    annotation: blankAnnotation,
    judge: async () => 0,
    htmlPath: null,
    repeat: null,
    told: null,
  };
  return withDashboard(async (api, url) => {
    return followOne(
      kind,
      format,
      await api.call(measurementEndpoints.resumeMeasurement, { params: { id } }),
      ending,
      { api, url },
    );
  });
}

async function followOne<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  created: { id: string; url: string },
  { annotation, judge, htmlPath, repeat, told }: EndingOfOne<Document>,
  { api, url }: Place,
): Promise<number> {
  const text = await follow(api, created.id, created.url);
  const link = url === null ? null : `${url}${created.url}`;
  if (link !== null) process.stderr.write(`Permalink: ${link}\n`);
  const document = kind.documentSchema.parse(JSON.parse(text));
  process.stdout.write(printResult(kind, format, { text, document }, { link, annotation }));
  if (htmlPath !== null) writeText(htmlPath, await api.readPage(created.url), '--html');
  told?.(document);
  const { state, problem: why } = document;
  if (why !== null) process.stderr.write(`${why.detail}\n${why.advice}\n`);
  if (state === 'finished') {
    if (repeat !== null) {
      const { schedule } = await api.call(scheduleEndpoints.createSchedule, {
        body: { of: created.id, ...repeat },
      });
      process.stderr.write(printRepeat(schedule));
    }
    return judge(document);
  }
  return state === 'refused' ? 2 : 1;
}

/** Throws invalid_arguments when one of these options is given: it is for one result. */
export function demandOneSite(options: Record<string, unknown>): void {
  const given = Object.keys(options).find((name) => options[name] != null);
  if (given === undefined) return;
  throw problem('invalid_arguments', `${given} is for one result. Give --labels only once.`);
}

/**
 * Follows the measurements of all sites, then prints the result of each below its name; as JSON, all of them as at the permalink.
 * Resolves to the exit code: 0 when all have finished, else 1 if one failed or was canceled, else 3 or 2.
 *
 * @param url of a dashboard that stays; null for one that ends with the command
 */
export async function followSites<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  { id, url: path, measurements }: CreatedBatch,
  { annotation, judge, told }: Ending<Document>,
  { api, url }: { api: ApiClient; url: string | null },
): Promise<number> {
  if (url !== null) process.stderr.write(`Permalink: ${url}${path}\n`);
  const ends = await Promise.all(
    measurements.map((each) =>
      follow(api, each.id, each.url, printerOf(printLabels(each.labels))).catch(asEnd),
    ),
  );
  const batch = await api.call(batchEndpoints.showBatch, { params: { id } });
  if (format === 'json') process.stdout.write(`${JSON.stringify(batch)}\n`);
  const codes: number[] = [];
  for (const [place, site] of batch.sites.entries()) {
    const text = ends[place] ?? '';
    if (text instanceof ProblemError) {
      process.stderr.write(`${nameSite(site)}: ${text.problem.detail}\n`);
      codes.push(1);
      continue;
    }
    const document = kind.documentSchema.parse(JSON.parse(text));
    if (format !== 'json') {
      const link = url === null ? null : `${url}${site.url}`;
      const printed = printResult(kind, format, { text, document }, { link, annotation });
      process.stdout.write(`${nameSite(site)}:\n\n${printed.trimEnd()}\n\n`);
    }
    const { state, problem: why } = document;
    process.stderr.write(`${nameSite(site)}: ${state}\n`);
    told?.(document);
    if (why !== null) process.stderr.write(`${why.detail}\n${why.advice}\n`);
    codes.push(state === 'finished' ? await judge(document) : state === 'refused' ? 2 : 1);
  }
  return [1, 3, 2].find((code) => codes.includes(code)) ?? 0;
}

/** One that is deleted meanwhile has no document. */
function asEnd(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}

function nameSite({ labels, runner }: BatchSite): string {
  return runner === null ? printLabels(labels) : `${printLabels(labels)} on ${runner}`;
}

/** Several sites share a terminal: each has lines of its own, which say whose they are. */
function printerOf(site: string): Printer {
  return { isTTY: false, write: (text) => process.stderr.write(`${site}: ${text}`) };
}

/** Options of a table as flags of a verb. */

type Verb = {
  addArgument(argument: Argument): unknown;
  addOption(flag: Flag): unknown;
  processedArgs: readonly unknown[];
  opts(): object;
  getOptionValueSource(name: never): string | undefined;
};

/** Each under the heading of its group. */
export function addOptions<Of extends Verb>(
  verb: Of,
  options: readonly PlacedOption[],
  { hidden = false } = {},
): Of {
  for (const placed of options) {
    const { name, option } = placed;
    if (option.positional) verb.addArgument(new Argument(`[${name}...]`, helpOf(option)));
    else if (option.flag !== null) verb.addOption(flagFor(placed).hideHelp(hidden));
  }
  return verb;
}

function helpOf(option: Option): string {
  const usual = defaultInWords(option);
  const help = plainHelp(helpOfFlag(option));
  return usual === null ? help : `${help} (default: ${usual})`;
}

function flagFor(placed: PlacedOption): Flag {
  const { option } = placed;
  const flag = new Flag(termOf(placed), helpOf(option));
  flag.helpGroup(`${option.group}:`);
  if (option.type === 'flag') return flag;
  return flag.argParser((text: string, previous?: unknown) => {
    const value = valueIn(option, text);
    return option.type === 'list' && Array.isArray(previous) ? [...previous, ...(value as unknown[])] : value;
  });
}

/** The given options, nested as in a request. */
export function readOptions(verb: Verb, options: readonly PlacedOption[]): Record<string, unknown> {
  const values = verb.opts() as Record<string, unknown>;
  return nestValues(
    options.flatMap((placed) => {
      const { option } = placed;
      if (option.flag === null) return [];
      if (option.positional) {
        const [words = []] = verb.processedArgs as [string[]?];
        return words.length === 0 ? [] : [[placed, words] as const];
      }
      const name = flagFor(placed).attributeName();
      if (verb.getOptionValueSource(name as never) !== 'cli') return [];
      return [[placed, option.type === 'flag' ? !option.default : values[name]] as const];
    }),
  );
}

/** Says what is wrong with a request that was made of these options, and names the flag that has to change. */
export function problemOfOptions(error: z.ZodError, options: readonly PlacedOption[]): ProblemError {
  const errors = fieldErrorsOf(error);
  const [first] = errors;
  const placed = options.find(({ id }) => id === first?.field);
  if (first === undefined || placed === undefined) {
    return problemOfIssues('invalid_arguments', error, 'The arguments');
  }
  return problem('invalid_arguments', { detail: `${flagOf(placed)}: ${first.message}`, errors });
}

/** The command line of a verb that measures: the options of its table, and those that every such verb has. */
export function measuringVerb(name: string, description: string, options: readonly PlacedOption[]) {
  return addOptions(
    verb(name).description(`${description} Progress goes to stderr, the result to stdout.`),
    options,
  )
    .option(...labelsOption)
    .option('--json', 'Print the JSON document of the permalink')
    .option('--markdown', 'Print a report in Markdown');
}

type MeasuringVerb = Omit<Parameters<typeof readOptions>[0], 'opts'> & {
  opts(): { labels?: Labels[]; json?: true; markdown?: true };
};

/**
 * Request and output format that the command line asks for.
 * @param own parts of the request that the verb reads itself
 * Throws invalid_arguments.
 */
export function readMeasuring<Schema extends z.ZodType>(
  parsed: MeasuringVerb,
  options: readonly PlacedOption[],
  schema: Schema,
  own: object,
): { request: z.output<Schema>; format: 'json' | 'markdown' | 'terminal'; labels: Labels[] | undefined } {
  const { labels, json, markdown } = parsed.opts();
  const request = schema.safeParse({ ...readOptions(parsed, options), ...own });
  if (!request.success) throw problemOfOptions(request.error, options);
  return { request: request.data, format: json ? 'json' : markdown ? 'markdown' : 'terminal', labels };
}
