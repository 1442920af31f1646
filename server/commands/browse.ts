import { basename, join } from 'node:path';
import {
  type BrowserDocument,
  type BrowserOutcome,
  type BrowserRequest,
  browserRequestSchema,
} from '../../shared/browser-run.ts';
import { trafficChoicesSchema } from '../../shared/import.ts';
import type { LabStep } from '../../shared/lab-progress.ts';
import { ProblemError, problem, problemOfIssues } from '../../shared/problem.ts';
import type { SecretValues } from '../../shared/scenario.ts';
import { permalinkIdSchema } from '../../shared/units.ts';
import { readConfig } from '../config.ts';
import { importFile } from '../import/apart/import-file.ts';
import { conductBrowserRun } from '../kinds/journey/conduct-journey.ts';
import { printBrowserTable } from '../kinds/journey/report/journey-table.ts';
import { productVersion } from '../product-version.ts';
import { describeEnvironment } from '../sampling/environment.ts';
import { namedSecrets } from '../traffic/secret-names.ts';
import { measureInLab } from './measure-in-lab.ts';
import { printLabStep } from './print-lab-step.ts';
import { readSecrets } from './secret-options.ts';
import { targetOf } from './target-options.ts';
import { collect, verb } from './verb.ts';
import { withDashboard } from './with-dashboard.ts';

const options = verb('browse')
  .description(
    'Performs a journey in a real browser, alternating between HTTP and HTTPS, with an empty cache and again with a filled one, and prints what it costs a visitor: time to first byte, paints and load. Progress goes to stderr, the result to stdout.',
  )
  .argument(
    '[journey]',
    'A Playwright test, a recording from Chrome DevTools or the ID of a recorded scenario (default: a search in the demo shop)',
  )
  .option('--http <url>', 'Origin of the HTTP side; needs --https (default: the demo shop)')
  .option('--https <url>', 'Origin of the HTTPS side')
  .option('--ca <file>', 'PEM file of the CA that signed the certificate of the HTTPS side')
  .option('--blocks <n>', 'Blocks of six visits, 6 to 40 (default: 10)', Number)
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable',
    collect,
  )
  .option('--seed <n>', 'Seed for the order of the visits', Number)
  .option('--json', 'Print the JSON document of the permalink');

export async function browse(args: string[]): Promise<number> {
  const { source, secrets, json, ...asked } = parseBrowse(args);
  const journey = await readJourney(source);
  const missing = namedSecrets(journey?.actions ?? []).find((name) => !Object.hasOwn(secrets, name));
  if (missing !== undefined)
    throw problem('secret_missing', `The secret “${missing}” has no value; give it with --secret.`);
  const request: BrowserRequest = { ...asked, journey };
  return Object.keys(secrets).length === 0
    ? measureInLab<BrowserDocument>(request, (document, text) => {
        refuseUnmeasured(document);
        return json ? `${text}\n` : printBrowserTable(document);
      })
    : browseHere(request, secrets, json);
}

/** Values of secrets do not go through the dashboard: such a journey is measured by this process. */
async function browseHere(request: BrowserRequest, secrets: SecretValues, json: boolean): Promise<number> {
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort();
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  try {
    const outcome = await conductBrowserRun(request, { ...houseOf(cancellation.signal), secrets });
    return tell(outcome, json);
  } finally {
    process.off('SIGINT', cancel);
    process.off('SIGTERM', cancel);
  }
}

/** What was cancelled is printed as far as it went. */
function tell(outcome: BrowserOutcome, json: boolean): number {
  refuseUnmeasured(outcome);
  const { state, problem: why } = outcome;
  process.stdout.write(json ? `${JSON.stringify(outcome)}\n` : printBrowserTable(outcome));
  if (why !== null) process.stderr.write(`${why.detail}\n${why.advice}\n`);
  return state === 'finished' ? 0 : 1;
}

/** What was never measured is refused as it is everywhere. */
function refuseUnmeasured({ problem: why, blocks }: Pick<BrowserOutcome, 'problem' | 'blocks'>): void {
  if (why !== null && blocks.length === 0) throw new ProblemError(why.code, { detail: why.detail });
}

function houseOf(signal: AbortSignal) {
  const config = readConfig(process.env);
  return {
    ...config,
    // A dashboard may be running on the directory itself, with a shop of its own.
    dataDirectory: join(config.dataDirectory, 'browse'),
    environment: describeEnvironment(`tls-toll ${productVersion()}`, true),
    signal,
    tell: (step: LabStep) => printLabStep(step, process.stderr),
  };
}

/** A file when it looks like one, else an id; null for the built-in one. */
async function readJourney(source: string | null): Promise<BrowserRequest['journey']> {
  if (source === null) return null;
  const isFile = /[./\\]/.test(source);
  const facts = { name: basename(source), choices: trafficChoicesSchema.parse({}) };
  const { scenario, actions } = isFile
    ? await importFile(source, facts)
    : await withDashboard((api) => api.readScenario(source));
  if (actions.length === 0) {
    throw problem(
      'invalid_arguments',
      `${source} holds nothing that is done in a browser; record it, or give a test.`,
    );
  }
  const name = scenario?.name ?? facts.name;
  return { name, actions, scenario: permalinkIdSchema.safeParse(source).data ?? null };
}

/** Throws invalid_arguments, file_unreadable. */
export function parseBrowse(args: string[]): Omit<BrowserRequest, 'journey'> & {
  source: string | null;
  secrets: ReturnType<typeof readSecrets>;
  json: boolean;
} {
  const [source = null] = options.parse(args, { from: 'user' }).processedArgs;
  const { blocks, seed, secret = [], json = false, ...target } = options.opts();
  const parsed = browserRequestSchema.omit({ journey: true }).safeParse({
    kind: 'browser',
    target: targetOf(target),
    blocks,
    seed,
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { ...parsed.data, source, secrets: readSecrets(secret), json };
}
