import { type BrowserAction, browserActionSchema } from '../../shared/browser-actions.ts';
import type { Secret } from '../../shared/import.ts';
import type { Locator } from '../../shared/locator.ts';
import type { Unsupported } from '../../shared/recording.ts';
import { openSecrets } from './find-secrets.ts';
import { closedFields, mapTexts } from './map-texts.ts';
import { withSpellings } from './redact.ts';
import { openReplacer } from './replace-values.ts';
import { asVariableName, isSecretName } from './secret-names.ts';
import { decode } from './sent-values.ts';

/**
 * Replaces what was typed into a field whose locator names a secret, and the password in an address, there and wherever
 * else it stands in the actions and in the texts that came with them.
 *
 * @param taken names of secrets that are replaced already
 */
export function redactActions<T>(
  actions: readonly BrowserAction[],
  others: T,
  taken: readonly string[] = [],
): { actions: BrowserAction[]; others: T; secrets: Secret[] } {
  const { placeholders, secrets, add } = openSecrets(taken);
  let focused: Locator | null = null;
  const named = actions.map((action): BrowserAction => {
    if (action.type === 'goto') return { ...action, url: withoutPassword(action.url, add) };
    if (action.type === 'extra_headers') return { ...action, headers: withoutSecrets(action.headers, add) };
    if ('locator' in action && action.locator !== null) focused = action.locator;
    if (!isTyping(action)) return action;
    const name = focused === null ? null : secretNameOf(focused);
    if (name === null) return action;
    return { ...action, value: add(name, action.value, `what is typed in line ${action.line ?? '?'}`) };
  });
  const clean = openReplacer(withSpellings(placeholders));
  const deep = <V>(value: V): V => mapTexts(value, clean, closedFields);
  return { actions: named.map(deep), others: deep(others), secrets };
}

type Typing = Extract<BrowserAction, { value: string }>;

/** Into the element of its own, or into the one that something was done to before. */
function isTyping(action: BrowserAction): action is Typing {
  return 'value' in action;
}

type Headers = Extract<BrowserAction, { type: 'extra_headers' }>['headers'];

function withoutSecrets(headers: Headers, add: ReturnType<typeof openSecrets>['add']): Headers {
  return headers.map(([name, value]) => [
    name,
    isSecretName(name) ? add(asVariableName(name), value, `the header ${name}`) : value,
  ]);
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
function withoutPassword(url: string, add: ReturnType<typeof openSecrets>['add']): string {
  return url.replace(
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*:)([^/?#]+)(?=@)/i,
    (_, before: string, password: string) =>
      before + add('password', decode(password), 'in front of a host in an address'),
  );
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
    const word = text.split(/[^\w-]+/).find(isSecretName);
    if (word !== undefined) return asVariableName(word.toLowerCase());
  }
  return null;
}

function textOf(match: { text: string } | { pattern: string } | null): string {
  if (match === null) return '';
  return 'text' in match ? match.text : match.pattern;
}
