import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import { headerLines, headersOfLines } from '../../../shared/scenario/header-lines.ts';
import type { Exchange, RecordedHeaders, Secret, Unsupported } from '../../../shared/scenario/import.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import {
  responseCheckSchema,
  type Scenario,
  type Step,
  scenarioSchema,
} from '../../../shared/scenario/scenario.ts';
import { openSecrets, type Secrets, type SecretWishes, secretsIn } from './found-secrets.ts';
import { openRedaction } from './redaction.ts';
import {
  decode,
  mapSentValues,
  openCommonWords,
  openPairReplacer,
  replaceWhole,
  type SentValue,
} from './sent-values.ts';
import {
  asVariableName,
  closedFields,
  isSecretName,
  mapTexts,
  openReplacer,
  placeholderPattern,
  withSpellings,
} from './spellings.ts';

/**
 * Replaces what was typed into a field whose locator names a secret, and the password in an address, there and wherever
 * else it stands in the actions and in the texts that came with them.
 */
export function redactActions<T>(
  actions: readonly BrowserAction[],
  others: T,
  wishes: SecretWishes = {},
): { actions: BrowserAction[]; others: T; secrets: Secret[] } {
  const { placeholders, secrets, add } = openSecrets(wishes);
  let focused: Locator | null = null;
  const named = actions.map((action): BrowserAction => {
    if (action.type === 'goto')
      return { ...action, url: redactAddress(withoutPassword(action.url, add), add) };
    if (action.type === 'extra_headers') return { ...action, headers: redactHeaders(action.headers, add) };
    if ('locator' in action && action.locator !== null) focused = action.locator;
    if (!isTyping(action)) return action;
    const name = focused === null ? null : secretNameOf(focused);
    if (name === null) return action;
    return { ...action, value: add(name, action.value, `what is typed in line ${action.line ?? '?'}`) };
  });
  const isCommon = openCommonWords([]);
  const common = new Map([...placeholders].filter(([value]) => isCommon(value)));
  const clean = openReplacer(withSpellings(new Map([...placeholders].filter(([value]) => !isCommon(value)))));
  const cleanPairs = openPairReplacer(common);
  const deep = <V>(value: V): V =>
    mapTexts(replaceWhole(value, common), (text) => cleanPairs(clean(text)), closedFields);
  return { actions: named.map(deep), others: deep(others), secrets };
}

type Typing = Extract<BrowserAction, { value: string }>;

/** Into the element of its own, or into the one that something was done to before. */
function isTyping(action: BrowserAction): action is Typing {
  return 'value' in action;
}

/** A placeholder may be longer than what it replaced: an action that outgrew its limits is named instead. */
export function splitOutgrown(actions: readonly BrowserAction[]): {
  actions: BrowserAction[];
  unsupported: Unsupported[];
} {
  const isWhole = (action: BrowserAction) => browserActionSchema.safeParse(action).success;
  const outgrown = actions.filter((action) => !isWhole(action));
  return {
    actions: actions.filter(isWhole),
    unsupported: outgrown.map(({ line, type }) => ({
      line,
      reason: `The action ${type} is too long once its secrets are replaced.`,
    })),
  };
}

/** `http://ann:password@shop.example/`. */
function withoutPassword(url: string, add: Secrets['add']): string {
  return url.replace(
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*:)([^/?#]+)(?=@)/i,
    (_, before: string, password: string) =>
      before + add('password', decode(password), 'in front of a host in an address'),
  );
}

/** `http://shop.example/?token=…` and, after a log-in elsewhere, `#access_token=…`. */
function redactAddress(url: string, add: Secrets['add']): string {
  const [, origin = '', path = '', fragment = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^#]*)(.*)$/is.exec(url) ?? [];
  const replace = replaceIn('an address', add);
  replace({ place: 'text', name: '', value: fragment });
  return origin + mapSentValues({ path, requestHeaders: [], requestBody: null }, replace).path + fragment;
}

function redactHeaders(requestHeaders: RecordedHeaders, add: Secrets['add']): RecordedHeaders {
  const sent = { path: '', requestHeaders, requestBody: null };
  return mapSentValues(sent, replaceIn('all requests', add)).requestHeaders;
}

/** A secret that is only a part of a value is added, and replaced with everything else. */
function replaceIn(where: string, add: Secrets['add']): (sent: SentValue) => string | null {
  return (sent) => {
    const added = secretsIn(sent).map(({ name, value, why }) => ({
      value,
      placeholder: add(asVariableName(name), value, `${why} of ${where}`),
    }));
    return added.find(({ value }) => value === sent.value)?.placeholder ?? null;
  };
}

/** The secret that the last part of a locator speaks of: "Password" in a label, `#api_key` in a selector. */
function secretNameOf(locator: Locator): string | null {
  for (const part of locator.toReversed()) {
    const text =
      part.by === 'role'
        ? textOf(part.name)
        : part.by === 'selector'
          ? part.selector
          : 'match' in part
            ? textOf(part.match)
            : '';
    if (isSecretName(text)) return nameIn(text);
  }
  return null;
}

/** The word that says it, or all of a label that says it in several. */
function nameIn(text: string): string {
  const word = text.split(/[^\p{L}\p{M}\p{N}_-]+/u).find(isSecretName);
  return asVariableName((word ?? text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
}

function textOf(match: { text: string } | { pattern: string } | null): string {
  if (match === null) return '';
  return 'text' in match ? match.text : match.pattern;
}

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

/** A step as if it had been recorded, with its number in place of an entry's. */
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

/** A text that was pointed at when so many requests had left: it must be there again. */
export type SeenText = { text: string; afterRequests: number };

const mostChecksOfAStep = 20;

/**
 * Adds a check to the last step before it whose response brought the text, letter by letter. Returns a sentence for each text
 * that no response has as it stands, such as one that a script put together, and for each with a secret in it.
 *
 * @param clean replaces secrets
 */
export function addTextChecks(
  steps: readonly Step[],
  exchanges: readonly Exchange[],
  seen: readonly SeenText[],
  clean: (text: string) => string,
): string[] {
  return seen.flatMap(({ text, afterRequests }) => {
    if (placeholderPattern.test(clean(text)))
      return ['A text that you selected contains a secret, so no step of the scenario checks it.'];
    const index = exchanges.findLastIndex(
      ({ number, responseBody }) => number <= afterRequests && responseBody?.includes(text) === true,
    );
    const checks = steps[index]?.checks;
    const check = responseCheckSchema.safeParse({ type: 'body_contains', text });
    if (checks === undefined || checks.length >= mostChecksOfAStep || !check.success) {
      return [`“${text}” stands in no response as it was seen, so no step of the scenario checks it.`];
    }
    if (!checks.some((known) => known.type === 'body_contains' && known.text === text)) {
      checks.push(check.data);
    }
    return [];
  });
}
