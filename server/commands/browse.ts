import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserDocument, BrowserOutcome, BrowserRequest } from '../../shared/browser-run.ts';
import { trafficChoicesSchema } from '../../shared/import.ts';
import type { LabStep } from '../../shared/lab-progress.ts';
import { ProblemError, problem, problemOfIssues } from '../../shared/problem.ts';
import type { SecretValues } from '../../shared/scenario.ts';
import { type TargetRequest, targetRequestSchema } from '../../shared/target.ts';
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
import { readPem } from './read-pem.ts';
import { readSecrets } from './secret-options.ts';
import { withDashboard } from './with-dashboard.ts';

export const browseHelp = `Usage: npx tls-toll browse [JOURNEY] [OPTIONS]

Does a journey in a real browser over HTTP and over HTTPS in turns, each time with an empty cache and once more with what is
in it then, and prints what it costs a visitor: time to first byte, paints, load. JOURNEY is a Playwright test, a recording of
Chrome's DevTools, or the id of a scenario that was recorded; without one the built-in shop is searched.
Progress goes to stderr, the result to stdout.

  --http URL      origin of the plain side (with --https; the built-in shop when left out)
  --https URL     origin of the TLS side
  --ca FILE       PEM of the authority that signed the TLS side's certificate
  --blocks N      blocks of six visits, 6 to 40 (10)
  --secret NAME=VARIABLE  value of a secret of the journey, in that environment variable; may be given several times
  --seed N        seed of the order of the visits
  --json          print the whole result

Exit code: 0 finished, 2 refused, 1 failed or cancelled.
`;

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
  const { values, positionals } = readOptions(args);
  const [source = null, another] = positionals;
  if (another !== undefined)
    throw problem('invalid_arguments', `browse takes one journey, so not ${another} as well.`);
  return {
    kind: 'browser',
    source,
    target: targetOf(values),
    blocks: wholeNumber('blocks', values.blocks ?? '10', 6, 40),
    ...(values.seed === undefined ? {} : { seed: wholeNumber('seed', values.seed, 0, 2 ** 31 - 1) }),
    secrets: readSecrets(values.secret ?? []),
    json: values.json ?? false,
  };
}

function targetOf({ http, https, ca }: { http?: string; https?: string; ca?: string }): TargetRequest {
  if ((http === undefined) !== (https === undefined)) {
    throw problem('invalid_arguments', '--http and --https go together: one origin for each side.');
  }
  if (http === undefined) return 'storefront';
  const parsed = targetRequestSchema.safeParse({
    http,
    https,
    ...(ca === undefined ? {} : { ca: readPem(ca) }),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return parsed.data;
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d{1,10}$/.test(text) && number >= least && number <= most) return number;
  throw problem('invalid_arguments', `--${name} is a whole number from ${least} to ${most}, not “${text}”.`);
}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        http: { type: 'string' },
        https: { type: 'string' },
        ca: { type: 'string' },
        blocks: { type: 'string' },
        secret: { type: 'string', multiple: true },
        seed: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}
