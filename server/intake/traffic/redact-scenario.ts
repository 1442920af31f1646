import { headerLines, headersOfLines } from '../../../shared/scenario/header-lines.ts';
import type { Secret } from '../../../shared/scenario/import.ts';
import type { Exchange, Unsupported } from '../../../shared/scenario/recording.ts';
import { type Scenario, type Step, scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { isSecretName } from './is-secret-name.ts';
import { mapTexts } from './map-texts.ts';
import { openRedaction } from './redact.ts';

/**
 * A scenario that somebody else wrote, with its secrets replaced. A check that repeats one is left out by name: it would
 * compare with the placeholder. Null when it is larger than a scenario may be with the names in it.
 */
export function redactScenario(
  scenario: Scenario,
  wishes: { taken: readonly string[]; declined: readonly string[] },
): { scenario: Scenario | null; secrets: Secret[]; unsupported: Unsupported[]; notes: string[] } {
  const sent = scenario.steps.map(exchangeOf);
  const { redact, clean, secrets } = openRedaction(sent, { ...wishes, unit: 'step' });
  const unsupported: Unsupported[] = [];
  const steps = scenario.steps.map((step, index): Step => {
    const redacted = redact(sent[index] ?? exchangeOf(step, index));
    const checks = step.checks.filter((check) => isSame(check, clean));
    if (checks.length < step.checks.length) {
      unsupported.push({
        line: index + 1,
        reason: `Step ${index + 1}: a check that repeats a secret is left out.`,
      });
    }
    return { ...mapTexts(step, clean), ...sentBy(redacted), checks };
  });
  const parsed = scenarioSchema.safeParse({ ...mapTexts(scenario, clean), steps });
  return { scenario: parsed.data ?? null, secrets, unsupported, notes: columnNotes(scenario) };
}

function isSame<Value>(value: Value, clean: (text: string) => string): boolean {
  return JSON.stringify(mapTexts(value, clean)) === JSON.stringify(value);
}

/** As if the step had been recorded, its number in place of an entry's. */
function exchangeOf({ method, path, headers, body, expectStatus }: Step, index: number): Exchange {
  return {
    ...{
      number: index + 1,
      startedAtMs: index,
      durationMs: 0,
      method,
      origin: 'http://target.invalid',
      path,
    },
    requestHeaders: headerLines(headers),
    requestBody: body ?? null,
    status: expectStatus,
    responseHeaders: [],
    responseBody: null,
    resourceType: 'other',
  };
}

function sentBy({ path, requestHeaders, requestBody }: Exchange): Pick<Step, 'path' | 'headers' | 'body'> {
  return {
    path,
    headers: headersOfLines(requestHeaders),
    ...(requestBody === null ? {} : { body: requestBody }),
  };
}

/** Rows cannot hold placeholders. */
function columnNotes({ data }: Scenario): string[] {
  const named = (data?.columns ?? []).filter(isSecretName);
  if (named.length === 0) return [];
  return [
    `The values of the data column${named.length === 1 ? '' : 's'} ${named.join(', ')} are stored as they are.`,
  ];
}
