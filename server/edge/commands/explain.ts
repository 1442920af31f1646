import { problem } from '../../../shared/base/problem.ts';
import { type ExplainRequest, explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';
import { type NamedRun, nameRun, readRun } from './named-run.ts';
import { readOptions } from './table-options.ts';
import { withStored } from './with-stored.ts';

const options = measuringVerb(
  'explain',
  'Says what the CPU of a request goes to, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server of this machine while it is loaded.',
  explainOptions,
).option(
  '--run <run>',
  'Explain a finished run, with its sides, target, and load: its ID, a link to it, or a file that compare --json wrote',
);

export async function explain(args: string[]): Promise<number> {
  const { request, run, format, labels } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  const asked = run === null ? request : await requestOf(run, request);
  return measure(kind, asked, format, { labels });
}

/** Throws invalid_arguments, file_unreadable. */
export function parseExplain(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const read = readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain' });
  const { run: text } = parsed.opts();
  if (text === undefined) return { ...read, run: null };
  const [other] = Object.keys(readOptions(parsed, explainOptions)).filter((name) => !beside.includes(name));
  if (other !== undefined) {
    const flag = explainOptions.find(({ id }) => id === other)?.option.flag ?? other;
    throw problem('invalid_arguments', `--run says what is explained: leave out ${flag}.`);
  }
  return { ...read, run: nameRun(text, '--run') };
}

/** What a run does not say. */
const beside = ['launches', 'seed'];

async function requestOf(
  named: NamedRun,
  { launches, seed }: Pick<ExplainRequest, 'launches' | 'seed'>,
): Promise<ExplainRequest> {
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { explainRequestOf } = await import('../../kinds/comparison/analyse/explain-run.ts');
  const run = await withStored([named], (read) => readRun(named, comparison, read));
  return { ...explainRequestOf(run), launches, seed };
}
