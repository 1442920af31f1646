import { basename } from 'node:path';
import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { visitsOptions } from '../../../shared/kinds/visits/options.ts';
import { type VisitsRequest, visitsRequestSchema } from '../../../shared/kinds/visits/visits.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { importFile } from '../../intake/import/apart/import-apart.ts';
import { withDashboard } from './api-client.ts';
import { measure, measuringVerb, readMeasuring } from './measure-kind.ts';
import { readSecrets, savePicture } from './side-options.ts';
import { targetOf } from './target-options.ts';
import { collect } from './verb.ts';

const options = measuringVerb(
  'visits',
  'Performs a journey in a real browser, alternating between HTTP and HTTPS, with an empty cache and again with a filled one, and prints what it costs a visitor: time to first byte, paints and load.',
  visitsOptions,
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
  );

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
  const parsed = options.parse(args, { from: 'user' });
  const [source = null] = parsed.processedArgs;
  const { secret = [], http, https, ca } = parsed.opts();
  const own = { kind: 'visits', target: targetOf({ http, https, ca }) };
  return {
    ...readMeasuring(parsed, visitsOptions, visitsRequestSchema.omit({ journey: true }), own),
    source,
    secrets: readSecrets(secret),
  };
}
