import { problem } from '../../../shared/base/problem.ts';
import { schemeOf } from '../../../shared/base/transport.ts';
import { type ExplainRequest, explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';
import { type NamedRun, nameRun, readRun } from './named-run.ts';
import { numberIn } from './option-values.ts';
import { readOptions } from './table-options.ts';
import { targetOf, withBothAddresses } from './target-options.ts';
import { withStored } from './with-stored.ts';

const options = measuringVerb(
  'explain',
  'Says what the CPU of a request goes to, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server of this machine while it is loaded.',
  explainOptions,
)
  .option(
    '--run <run>',
    'Explain a finished run, with its sides, target, and load: its ID, a link to it, or a file that compare --json wrote',
  )
  .optionsGroup('Instead of starting a server:')
  .option('--http <url>', 'Address of the HTTP side (default: that of --https, on port 80 or 8080)')
  .option('--https <url>', 'Address of the HTTPS side (default: that of --http, on port 443 or 8443)')
  .option('--ca <file>', 'PEM file of the CA that signed the HTTPS side’s certificate')
  .option('--trust <sha256>', 'Trust the certificate with this fingerprint, for this measurement only')
  .option('--pid <n>', 'Process ID of the target (default: found by its listening port)', numberIn);

export async function explain(args: string[]): Promise<number> {
  const { request, run, format, labels } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  const asked = run === null ? request : await requestOf(run, request);
  return measure(kind, asked, format, { labels });
}

/** Throws invalid_arguments, file_unreadable. */
export function parseExplain(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const { run } = parsed.opts();
  return run === undefined ? { ...readSides(parsed), run: null } : readOfRun(parsed, run);
}

type Parsed = ReturnType<typeof options.parse>;

function readOfRun(parsed: Parsed, text: string) {
  const own = Object.keys(readOptions(parsed, explainOptions)).find((name) => !beside.includes(name));
  const other =
    explainOptions.find(({ id }) => id === own)?.option.flag ??
    own ??
    ['http', 'https', 'ca', 'trust', 'pid'].find((name) => Object.hasOwn(parsed.opts(), name));
  if (other !== undefined) {
    throw problem(
      'invalid_arguments',
      `--run says what is explained: leave out --${other.replace('--', '')}.`,
    );
  }
  const read = readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain' });
  return { ...read, run: nameRun(text, '--run') };
}

/** What a run does not say. */
const beside = ['launches', 'seed'];

function readSides(parsed: Parsed) {
  const read = (own: object) =>
    readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain', ...own });
  const { request } = read({});
  const needed = new Set([schemeOf(request.baseline), schemeOf(request.comparison)]);
  const { http, https, ca, trust, pid } = withBothAddresses(parsed.opts(), needed);
  if ((http ?? https) === undefined) return read({});
  if (parsed.getOptionValueSource('target' as never) === 'cli') {
    throw problem(
      'invalid_arguments',
      '--target names a server to start, --http and --https a running one. Give one or the other.',
    );
  }
  return read({ target: targetOf({ http, https, ca, trust, pid }, {}, needed) });
}

async function requestOf(
  named: NamedRun,
  { launches, seed }: Pick<ExplainRequest, 'launches' | 'seed'>,
): Promise<ExplainRequest> {
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { explainRequestOf } = await import('../../kinds/comparison/analyse/explain-run.ts');
  const run = await withStored([named], (read) => readRun(named, comparison, read));
  return { ...explainRequestOf(run), launches, seed };
}
