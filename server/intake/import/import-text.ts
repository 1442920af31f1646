import { problem, problemOfIssues } from '../../../shared/base/problem.ts';
import { type BrowserAction, isDoneByHand } from '../../../shared/scenario/browser-actions.ts';
import type { ImportFormat, ImportReport, Secret, TrafficChoices } from '../../../shared/scenario/import.ts';
import type { Unsupported } from '../../../shared/scenario/recording.ts';
import { type Scenario, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { redactActions, splitOutgrown } from '../traffic/redact-actions.ts';
import { redactScenario } from '../traffic/redact-scenario.ts';
import { namedSecrets } from '../traffic/secret-names.ts';
import { parseCurl } from './curl/parse-curl.ts';
import { parseDevtoolsRecording } from './devtools/parse-devtools-recording.ts';
import { type DraftFacts, type DraftRequest, pageVisit, requestsToScenario } from './draft-request.ts';
import { parsePlaywrightTest } from './playwright/parse-playwright-test.ts';

const mebibyte = 1024 * 1024;

/** Of a program the syntax tree is built, several times when lines are broken. */
export const textLimitBytes: Record<Exclude<ImportFormat, 'har'>, number> = {
  playwright: mebibyte / 2,
  devtools: 4 * mebibyte,
  curl: 4 * mebibyte,
  json: 4 * mebibyte,
};

/** Everything but a HAR, which is streamed. Throws import_unreadable. */
export function importText(
  text: string,
  facts: {
    name: string;
    format: Exclude<ImportFormat, 'har'>;
    choices?: Pick<TrafficChoices, 'thirdParties' | 'declined'>;
  },
): ImportReport {
  const { format } = facts;
  const { thirdParties = false, declined = [] } = facts.choices ?? {};
  if (format === 'json') return reportOfScenario(format, parseScenario(text), declined);
  // The requests of a test share their cookies, as those of a browser do.
  const { name = null, keepsCookies = true, ...found } = parsers[format](text);
  return reportOf(format, found, { name: name ?? facts.name, thirdParties, declined, keepsCookies });
}

const parsers: Record<
  'curl' | 'playwright' | 'devtools',
  (text: string) => Found & { name?: string | null; keepsCookies?: boolean }
> = {
  curl: (text) => ({ actions: [], ...parseCurl(text) }),
  playwright: parsePlaywrightTest,
  devtools(text) {
    const recording = parseDevtoolsRecording(parseJson(text));
    const requests = recording.actions.flatMap((action) =>
      action.type === 'goto' ? [{ ...pageVisit(action.url), line: action.line ?? 1 }] : [],
    );
    return { ...recording, requests };
  },
};

type Found = {
  actions: BrowserAction[];
  requests: DraftRequest[];
  unsupported: Unsupported[];
  notes?: string[];
};

/** Secrets that were typed are replaced first, so that the requests are redacted by the same values. */
function reportOf(format: ImportFormat, found: Found, facts: DraftFacts): ImportReport {
  const redacted = redactActions(found.actions, found.requests, {
    taken: namedSecrets(found),
    declined: facts.declined ?? [],
  });
  const { others, secrets } = redacted;
  const { actions, unsupported } = splitOutgrown(redacted.actions);
  const taken = [...namedSecrets(found), ...secrets.map((secret) => secret.name)];
  const report = requestsToScenario(others, { ...facts, taken });
  return {
    format,
    ...report,
    actions,
    secrets: withNamed([...secrets, ...report.secrets], [actions, report.scenario]),
    unsupported: [...found.unsupported, ...unsupported, ...report.unsupported].sort(
      (a, b) => (a.line ?? 0) - (b.line ?? 0),
    ),
    notes: [
      ...(isDoneByHand(actions)
        ? [
            'The scenario has only the requests that are known without a browser. Replay the actions to capture the rest.',
          ]
        : []),
      ...(found.notes ?? []),
      ...report.notes,
    ],
  };
}

/** Adds the secrets that the source itself names, such as `process.env.PASSWORD`. */
function withNamed(secrets: Secret[], value: unknown): Secret[] {
  const known = new Set(secrets.map(({ name }) => name));
  const added = namedSecrets(value).filter((name) => !known.has(name));
  return [...secrets, ...added.map((name) => ({ name, why: 'named in the source' }))];
}

function parseScenario(text: string): Scenario {
  const parsed = scenarioSchema.safeParse(parseJson(text));
  if (!parsed.success) throw problemOfIssues('import_unreadable', parsed.error, 'The scenario');
  return parsed.data;
}

/** Of a scenario that stands in the source as it is. Throws import_unreadable. */
export function reportOfScenario(
  format: ImportFormat,
  written: Scenario,
  declined: readonly string[] = [],
): ImportReport {
  const taken = namedSecrets(written);
  const { scenario, secrets, unsupported, notes } = redactScenario(written, { taken, declined });
  if (scenario === null)
    throw problem('import_unreadable', 'The scenario is too large once its secrets are replaced.');
  return {
    ...{ format, scenario, site: null, actions: [], unsupported, pages: [], leftOut: [], correlations: [] },
    secrets: withNamed(secrets, scenario),
    notes,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw problem(
      'import_unreadable',
      `The file is not JSON: ${error instanceof Error ? error.message : error}.`,
    );
  }
}
