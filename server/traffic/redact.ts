import type { Secret } from '../../shared/import.ts';
import type { Exchange, RecordedHeaders } from '../../shared/recording.ts';
import { findSecrets } from './find-secrets.ts';
import { headLength, openReplacer } from './replace-values.ts';
import { isSecretName } from './secret-names.ts';
import { mapSentValues } from './sent-values.ts';

/**
 * Replaces secrets by `${secret:name}`: what stands under a secret name, and the same value wherever else it stands,
 * also as it is written in a query, a form, JSON or HTML. Equal values get equal placeholders, so that correlation works as before.
 * Nothing of a recording may be stored or shown before it went through here.
 */
export function redactExchanges(exchanges: readonly Exchange[]): {
  exchanges: Exchange[];
  secrets: Secret[];
} {
  const { redact, secrets } = openRedaction(exchanges);
  return { exchanges: exchanges.map(redact), secrets };
}

/** The secrets of a whole recording, and what redacts one of its exchanges: few of thousands become steps. */
export function openRedaction(
  exchanges: readonly Exchange[],
  taken: readonly string[] = [],
): {
  redact: (exchange: Exchange) => Exchange;
  secrets: Secret[];
} {
  const { placeholders, onlyInPlace, secrets, isSecret } = findSecrets(exchanges, taken);
  const everywhere = new Map([...placeholders].filter(([value]) => !onlyInPlace.has(value)));
  const clean = openReplacer(withSpellings(everywhere));
  const redact = (exchange: Exchange): Exchange =>
    cleanExchange(redactNamed(exchange, placeholders, isSecret), clean);
  return { redact, secrets };
}

/** Every text of it that may hold a secret, through `clean`. */
export function cleanExchange(exchange: Exchange, clean: (text: string) => string): Exchange {
  const cleanHeaders = (headers: RecordedHeaders): RecordedHeaders =>
    headers.map(([name, value]) => [name, clean(value)]);
  return {
    ...exchange,
    path: clean(exchange.path),
    requestHeaders: cleanHeaders(exchange.requestHeaders),
    requestBody: exchange.requestBody === null ? null : clean(exchange.requestBody),
    responseHeaders: cleanHeaders(exchange.responseHeaders),
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
    const last = /([^.[\]'$]+)['\]]*$/.exec(name)?.[1] ?? name;
    return place !== 'path' && isSecret(last) ? (placeholders.get(value) ?? null) : null;
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
        ? value
            .split('\n')
            .map((line) => redactFirstCookie(line, placeholders))
            .join('\n')
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

/** The ways in which a value is written: plain, in a query, in a form, in JSON, in HTML. */
export function withSpellings(placeholders: Map<string, string>): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const [value, placeholder] of placeholders) {
    if (value.length < headLength) continue;
    const encoded = encodeURIComponent(value.toWellFormed());
    const spellings = [
      value,
      encoded,
      encoded.replaceAll('%20', '+'),
      new URLSearchParams([['', value]]).toString().slice(1),
      JSON.stringify(value).slice(1, -1),
      JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
      value
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;'),
    ];
    for (const spelling of spellings) {
      spelled.set(spelling, placeholder);
      spelled.set(
        spelling.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
        placeholder,
      );
    }
  }
  return spelled;
}
