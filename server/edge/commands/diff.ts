import { problem } from '../../../shared/base/problem.ts';
import type { RunChanges } from '../../../shared/kinds/comparison/result-changes.ts';
import { printMarkdown } from '../../base/text/report/print-markdown.ts';
import { printTerminal } from '../../base/text/report/print-terminal.ts';
import { type NamedRun, nameRun, readRun } from './named-run.ts';
import { verb } from './verb.ts';
import { withStored } from './with-stored.ts';

const options = verb('diff')
  .description(
    'Compares two finished runs: what differs in the set-up, and how each overhead changed, with its 95 % interval. Each is the ID of a stored run, a link to it, or a file that compare --json wrote. Measures nothing.',
  )
  .argument('<first>', 'The run to start from, such as the older one')
  .argument('<second>', 'The run to compare with it')
  .option('--json', 'Print JSON')
  .option('--markdown', 'Print a report in Markdown');

export async function diff(args: string[]): Promise<number> {
  const { first, second, format } = parseDiff(args);
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { compareRuns } = await import('../../kinds/comparison/changes/compare-runs.ts');
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
  const { reportRunChanges } = await import('../../kinds/comparison/changes/report-run-changes.ts');
  const report = reportRunChanges(changes);
  return format === 'markdown' ? printMarkdown(report) : printTerminal(report);
}

/** Throws invalid_arguments, file_unreadable. */
export function parseDiff(args: string[]): { first: NamedRun; second: NamedRun; format: Format } {
  const [first, second] = options.parse(args, { from: 'user' }).processedArgs;
  const values = options.opts();
  if (values.json && values.markdown)
    throw problem('invalid_arguments', 'Choose one of --json and --markdown.');
  const format = (['json', 'markdown'] as const).find((name) => values[name] === true) ?? 'terminal';
  return {
    first: nameRun(first, 'First run'),
    second: nameRun(second, 'Second run'),
    format,
  };
}
