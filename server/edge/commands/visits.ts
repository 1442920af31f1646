import { basename } from 'node:path';
import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { placeOptions } from '../../../shared/base/option.ts';
import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { visitsOptions } from '../../../shared/kinds/visits/options.ts';
import { type VisitsRequest, visitsRequestSchema } from '../../../shared/kinds/visits/visits.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { importFile } from '../../intake/import/apart/import-file.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { savePicture } from './save-picture.ts';
import { readSecrets } from './secret-options.ts';
import { addOptions, readOptions } from './table-options.ts';
import { targetOf } from './target-options.ts';
import { collect, verb } from './verb.ts';
import { withDashboard } from './with-dashboard.ts';

const placed = placeOptions(null, visitsOptions);

const options = addOptions(
  verb('visits').description(
    'Performs a journey in a real browser, alternating between HTTP and HTTPS, with an empty cache and again with a filled one, and prints what it costs a visitor: time to first byte, paints and load. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .argument(
    '[journey]',
    'A Playwright test, a recording from Chrome DevTools or the ID of a recorded scenario (default: a search in the storefront)',
  )
  .option('--http <url>', 'Origin of the HTTP side; needs --https (default: the storefront)')
  .option('--https <url>', 'Origin of the HTTPS side')
  .option('--ca <file>', 'PEM file of the CA that signed the certificate of the HTTPS side')
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable',
    collect,
  )
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink');

export async function visits(args: string[]): Promise<number> {
  const { source, secrets, json, labels, ...asked } = parseVisits(args);
  const request: VisitsRequest = { ...asked, journey: await readJourney(source) };
  const { visits: kind } = await import('../../kinds/visits/kind.ts');
  return measure(kind, request, json ? 'json' : 'terminal', {
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
export function parseVisits(args: string[]): Omit<VisitsRequest, 'journey'> & {
  source: string | null;
  secrets: ReturnType<typeof readSecrets>;
  json: boolean;
  labels: Labels[] | undefined;
} {
  const [source = null] = options.parse(args, { from: 'user' }).processedArgs;
  const { secret = [], json = false, labels, ...target } = options.opts();
  const parsed = visitsRequestSchema.omit({ journey: true }).safeParse({
    kind: 'visits',
    target: targetOf(target),
    ...readOptions(options, placed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { ...parsed.data, source, secrets: readSecrets(secret), json, labels };
}
