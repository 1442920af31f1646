import { permitEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { mostResults, reportEndpoints } from '../../../shared/api/question-endpoints.ts';
import { idInText } from '../../../shared/base/addresses.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import type { RunChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { type KindName, kindWords } from '../../../shared/measurement/kind-names.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import type { AnyDocument, Kind } from '../../kinds/kind.ts';
import { type ReadStored, upgradeDocument, withStoredAlone } from '../../life/measurement/summaries.ts';
import { readConfig } from '../settings/config.ts';
import { readJson } from '../settings/token-file.ts';
import { connectTo, findDashboard, withDashboard, withRunningDashboard } from './api-client.ts';
import { demandWritable, writeText } from './option-values.ts';
import { verb } from './verb.ts';

const diffOptions = verb('diff')
  .description(
    'Compares two finished runs: what differs in the set-up, and how each difference changed, with its 95 % CI. Each is the ID of a stored run, a link to it, or a file that compare --json wrote. Measures nothing.',
  )
  .argument('<first>', 'The run to start from, such as the older one')
  .argument('<second>', 'The run to compare with it')
  .option('--json', 'Print JSON')
  .option('--markdown', 'Print a report in Markdown');

export async function diff(args: string[]): Promise<number> {
  const { first, second, format } = parseDiff(args);
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { compareRuns } = await import('../../kinds/comparison/run-changes.ts');
  const changes = await withStored([first, second], async (read) => {
    const from = await readRun(first, comparison, read);
    return compareRuns(from, await readRun(second, comparison, read));
  });
  process.stdout.write(await print(changes, format));
  return 0;
}

type Format = 'json' | 'markdown' | 'terminal';

async function print(changes: RunChanges, format: Format): Promise<string> {
  if (format === 'json') return `${JSON.stringify(changes)}\n`;
  const { reportRunChanges } = await import('../../kinds/comparison/run-changes.ts');
  const report = reportRunChanges(changes);
  return format === 'markdown' ? printMarkdown(report) : printTerminal(report);
}

/** Throws invalid_arguments, file_unreadable. */
export function parseDiff(args: string[]): { first: NamedRun; second: NamedRun; format: Format } {
  const [first, second] = diffOptions.parse(args, { from: 'user' }).processedArgs;
  const values = diffOptions.opts();
  if (values.json && values.markdown)
    throw problem('invalid_arguments', 'Choose one of --json and --markdown.');
  const format = (['json', 'markdown'] as const).find((name) => values[name] === true) ?? 'terminal';
  return {
    first: nameRun(first, 'First run'),
    second: nameRun(second, 'Second run'),
    format,
  };
}

/** A run as a command line names it: a stored one by its ID, or one whose JSON is in a file. */
export type NamedRun = { argument: string } & ({ id: string } | { value: unknown });

/**
 * @param text an ID, a link to a stored run, or the path of a file
 * @param argument that named it, such as `--against`
 * Throws invalid_arguments, file_unreadable.
 */
export function nameRun(text: string, argument: string): NamedRun {
  const id = idInText(text);
  return id !== null ? { argument, id } : { argument, value: readJson(text, argument) };
}

type Readable<Document extends AnyDocument> = Parameters<typeof upgradeDocument<Document>>[0] &
  Pick<Kind<unknown, unknown, unknown, Document, unknown>, 'noun'>;

/**
 * Reads a run that this version or an earlier one measured.
 * @param readStored the JSON of a stored one
 * Throws invalid_arguments, run_newer, run_not_found, run_deleted.
 */
export async function readRun<Document extends AnyDocument>(
  named: NamedRun,
  kind: Readable<Document>,
  readStored: (id: string) => Promise<string>,
): Promise<Document> {
  const value = 'id' in named ? JSON.parse(await readStored(named.id).catch(blame(named))) : named.value;
  try {
    return upgradeDocument(kind, value);
  } catch (error) {
    const isStored = 'id' in named;
    if (error instanceof ProblemError && (isStored || error.problem.code !== 'run_older'))
      return blame(named)(error);
    throw problem(
      'invalid_arguments',
      `${named.argument}: that is not the JSON of ${kind.noun}. Save one with ${kindWords[kind.name as KindName].verb ?? kind.name} --json.`,
    );
  }
}

/** Says of a problem which of the arguments it is about. */
function blame({ argument }: NamedRun): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ProblemError)) throw error;
    throw problem(error.problem.code, `${argument}: ${error.problem.detail}`);
  };
}

/** The dashboard of the data directory has its database; without one it is opened here. Files need neither. */
export async function withStored<Result>(
  runs: readonly NamedRun[],
  use: (read: ReadStored) => Promise<Result>,
): Promise<Result> {
  if (runs.every((run) => 'value' in run)) return use(() => Promise.reject(new Error('all are files')));
  const running = await findDashboard();
  if (running === null) {
    const { dataDirectory: directory, databaseUrl: url } = readConfig(process.env);
    return withStoredAlone({ directory, url }, use);
  }
  const api = connectTo(running);
  return use((id) => api.readDocument(`/r/${id}`));
}

const reportOptions = verb('report')
  .description(
    `Writes up to ${mostResults} finished results to one HTML file with a title page, which opens without the dashboard.`,
  )
  .argument('<results...>', 'IDs of results, or links to them, in the order of the file')
  .requiredOption('--html <file>', 'File to write')
  .option('--title <text>', 'Title of the first page (default: Measured with TLS Toll)');

export async function report(args: string[]): Promise<number> {
  const { ids, htmlPath, title } = parseReport(args);
  demandWritable(htmlPath, '--html');
  const query = { ids: ids.join(','), title };
  writeText(
    htmlPath,
    await withDashboard((api) => api.readFile(reportEndpoints.saveReport, { query })),
    '--html',
  );
  return 0;
}

/** Throws invalid_arguments. */
export function parseReport(args: string[]): { ids: string[]; htmlPath: string; title: string } {
  const [results] = reportOptions.parse(args, { from: 'user' }).processedArgs;
  const { html: htmlPath, title = '' } = reportOptions.opts();
  const ids = results.map((text) => {
    const id = idInText(text);
    if (id === null)
      throw problem('invalid_arguments', `"${text}" is not the ID of a result, nor a link to one.`);
    return id;
  });
  return { ids, htmlPath, title };
}

const stopOptions = verb('stop').description(
  'Stops all load of the dashboard that runs on the data directory, within a second: what is under way ends, and what waits is canceled. Results up to that point are kept.',
);

export async function stop(args: string[]): Promise<number> {
  stopOptions.parse(args, { from: 'user' });
  const answer = await withRunningDashboard((api) => api.call(permitEndpoints.stopAll));
  process.stdout.write(
    answer === null || answer.stopped === 0 ? 'Nothing was running.\n' : 'All load has stopped.\n',
  );
  return 0;
}
