import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import type { Secret } from '../../../shared/scenario/import.ts';
import type { Locator } from '../../../shared/scenario/locator.ts';
import type { RecordedHeaders, Unsupported } from '../../../shared/scenario/recording.ts';
import { openCommonWords, openPairReplacer, replaceWhole } from './common-words.ts';
import { secretsIn } from './find-secrets.ts';
import { isSecretName } from './is-secret-name.ts';
import { closedFields, mapTexts } from './map-texts.ts';
import { openSecrets, type Secrets, type SecretWishes } from './open-secrets.ts';
import { openReplacer } from './replace-values.ts';
import { asVariableName } from './secret-names.ts';
import { decode, mapSentValues, type SentValue } from './sent-values.ts';
import { withSpellings } from './spellings.ts';

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
