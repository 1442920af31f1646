import type { Exchange, Secret } from '../../../shared/scenario/import.ts';
import { findSecrets, lastPart, type SecretWishes } from './find-secrets.ts';
import { mapSentValues, openCommonWords, openPairReplacer, replaceReceived } from './sent-values.ts';
import { headLength, isSecretName, openReplacer, withSpellings } from './spellings.ts';

/**
 * The secrets of a whole recording, and what redacts one of its exchanges: few of thousands become steps.
 * Replaces secrets by `${secret:name}`: what stands under a secret name, and the same value wherever else it stands,
 * also as it is written in a query, a form, JSON or HTML. Equal values get equal placeholders, so that correlation works as before.
 * Nothing of a recording may be stored or shown before it went through here.
 */
export function openRedaction(
  exchanges: readonly Exchange[],
  wishes: SecretWishes = {},
): {
  redact: (exchange: Exchange) => Exchange;
  /** Of one text, wherever it stands. */
  clean: (text: string) => string;
  secrets: Secret[];
} {
  const { placeholders, onlyInPlace, secrets, isSecret, names } = findSecrets(exchanges, wishes);
  const isCommon = openCommonWords(names);
  const common = new Map([...placeholders].filter(([value]) => !onlyInPlace.has(value) && isCommon(value)));
  const everywhere = new Map(
    [...placeholders].filter(([value]) => !onlyInPlace.has(value) && !common.has(value)),
  );
  const clean = openReplacer(withSpellings(everywhere));
  const cleanPairs = openPairReplacer(common);
  const redact = (exchange: Exchange): Exchange =>
    cleanExchange(replaceCommon(redactNamed(exchange, placeholders, isSecret), common, cleanPairs), clean);
  return { redact, clean, secrets };
}

/** Where a value is one of them. */
export function replaceCommon(
  exchange: Exchange,
  common: ReadonlyMap<string, string>,
  cleanPairs: (text: string) => string,
): Exchange {
  if (common.size === 0) return exchange;
  const sent = mapSentValues(exchange, ({ place, value }) =>
    place === 'path' || place === 'header' ? null : (common.get(value) ?? null),
  );
  const { responseBody } = sent;
  return {
    ...withSentTexts(sent, cleanPairs),
    responseBody: responseBody === null ? null : replaceReceived(responseBody, (value) => common.get(value)),
  };
}

/** Every text of it that may hold a secret, through `clean`. */
export function cleanExchange(exchange: Exchange, clean: (text: string) => string): Exchange {
  return {
    ...withSentTexts(exchange, clean),
    responseHeaders: exchange.responseHeaders.map(([name, value]) => [name, clean(value)]),
    responseBody: exchange.responseBody === null ? null : clean(exchange.responseBody),
  };
}

/** Short values, which are not looked for everywhere, are replaced where their name stands. */
function redactNamed(
  exchange: Exchange,
  placeholders: Map<string, string>,
  isSecret: (name: string) => boolean,
): Exchange {
  const sent = mapSentValues(exchange, ({ place, name, value }) => {
    return place !== 'path' && isSecret(lastPart(name)) ? (placeholders.get(value) ?? null) : null;
  });
  return {
    ...sent,
    requestHeaders: sent.requestHeaders.map(([name, value]) => [
      name,
      name.toLowerCase() === 'cookie' ? redactCookies(value, ';', placeholders) : value,
    ]),
    responseHeaders: sent.responseHeaders.map(([name, value]) => [
      name,
      /^set-cookie2?$/i.test(name)
        ? redactCookies(value, '\n', placeholders)
        : value.length < headLength && isSecretName(name)
          ? (placeholders.get(value) ?? value)
          : value,
    ]),
  };
}

function redactCookies(text: string, separator: string, placeholders: Map<string, string>): string {
  return text
    .split(separator)
    .map((pair) => redactFirstCookie(pair, placeholders))
    .join(separator);
}

/** White space and quotes around the value stay. */
function redactFirstCookie(text: string, placeholders: Map<string, string>): string {
  return text.replace(/^([^=;]+=)([^;]*)/, (whole, name: string, value: string) => {
    const plain = value.trim().replace(/^"(.*)"$/, '$1');
    const placeholder = placeholders.get(plain);
    return placeholder === undefined ? whole : name + value.replace(plain, () => placeholder);
  });
}

/** The exchange with every text that was sent rewritten; what was received stays as it is. */
export function withSentTexts(exchange: Exchange, write: (text: string) => string): Exchange {
  const { path, requestHeaders, requestBody } = exchange;
  return {
    ...exchange,
    path: write(path),
    requestHeaders: requestHeaders.map(([name, value]) => [name, write(value)]),
    requestBody: requestBody === null ? null : write(requestBody),
  };
}
