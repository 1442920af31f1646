import { z } from 'zod';
import { runEventSchema } from '../../../shared/kinds/comparison/block.ts';
import { runDocumentSchema } from '../../../shared/kinds/comparison/run.ts';
import type { Exchange, Secret } from '../../../shared/scenario/import.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import { dryRunReportSchema } from '../../../shared/target/dry-run.ts';
import { findSecrets, lastPart, type SecretWishes } from './found-secrets.ts';
import {
  decode,
  mapSentValues,
  openCommonWords,
  openPairReplacer,
  replaceReceived,
  replaceWhole,
} from './sent-values.ts';
import {
  asVariableName,
  base64Spellings,
  closedFields,
  headLength,
  isSecretName,
  mapTexts,
  openNames,
  openReplacer,
  placeholderOf,
  withSpellings,
} from './spellings.ts';

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
  /** Cleans one text, wherever it appears. */
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

/** Replaces values that equal a common word. */
function replaceCommon(
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
function cleanExchange(exchange: Exchange, clean: (text: string) => string): Exchange {
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

/** Text typed into password fields, key by key, and the functions that hide it. */
export type TypedSecrets = {
  /** The whole value of the field, at each change. */
  typed(field: string, name: string, value: string): void;
  /** An address of the address bar: a password may stand before its host. */
  opened(url: string): void;
  /** In place of what a field holds; null when it is no secret. */
  placeholderFor(value: string): string | null;
  /** The same with every secret replaced, wherever it stands. */
  clean<T>(value: T): T;
  redact(exchanges: readonly Exchange[]): Exchange[];
  secrets(): Secret[];
};

const mostFields = 100;
const mostValues = 5_000;

/**
 * While a password grows each of its beginnings is one for a moment. They are replaced where they stand alone; only what the
 * user stopped at is looked for everywhere, or every word that a password begins with would be a secret.
 *
 * @param taken names of secrets that are replaced already
 */
export function openTypedSecrets(taken: readonly string[] = []): TypedSecrets {
  const fields = new Map<string, { placeholder: string | null; last: string }>();
  const seen = new Map<string, string>();
  const settled = new Set<string>();
  const uniqueName = openNames(taken);

  function known(): Map<string, string> {
    const values = [...settled, ...[...fields.values()].map(({ last }) => last)];
    return new Map(values.flatMap((value) => (value === '' ? [] : [[value, seen.get(value) ?? '']])));
  }

  function split(isCommon: (value: string) => boolean) {
    const all = [...known()];
    return {
      everywhere: new Map(all.filter(([value]) => !isCommon(value))),
      common: new Map(all.filter(([value]) => isCommon(value))),
    };
  }

  function typed(id: string, name: string, value: string): void {
    const field = fields.get(id) ?? { placeholder: null, last: '' };
    if ((fields.size >= mostFields && !fields.has(id)) || seen.size >= mostValues) return;
    fields.set(id, field);
    if (!value.startsWith(field.last)) settled.add(field.last);
    field.last = value;
    if (value === '' || seen.has(value)) return;
    field.placeholder ??= placeholderOf(uniqueName(asVariableName(name === '' ? 'password' : name)));
    seen.set(value, field.placeholder);
  }

  return {
    typed,

    opened(url) {
      const written = URL.parse(url)?.password ?? '';
      // The password as it is meant, and as an address spells it.
      for (const value of [decode(written), written]) typed(`address ${written}`, 'password', value);
    },

    placeholderFor: (value) => seen.get(value) ?? null,

    clean(value) {
      const { everywhere, common } = split(openCommonWords([]));
      const whole = replaceWhole(value, common);
      return everywhere.size === 0
        ? whole
        : mapTexts(whole, openReplacer(withSpellings(everywhere)), closedFields);
    },

    redact(exchanges) {
      const values = known();
      const isCommon = openCommonWords(findSecrets(exchanges).names);
      const parts = split(isCommon);
      const clean = openReplacer(withSpellings(parts.everywhere));
      const alone = (value: string) =>
        values.get(value) ?? (value.length >= headLength ? (seen.get(value) ?? null) : null);
      return exchanges.map((exchange) =>
        cleanExchange(
          replaceCommon(
            mapSentValues(exchange, ({ place, value }) =>
              place === 'path' || (place === 'header' && isCommon(value)) ? null : alone(value),
            ),
            parts.common,
            openPairReplacer(parts.common),
          ),
          clean,
        ),
      );
    },

    secrets() {
      const names = [...new Set(known().values())].map((text) => text.slice('${secret:'.length, -1));
      return names.map((name) => ({ name, why: 'typed into a password field' }));
    },
  };
}

/**
 * Words that stand for themselves in what is stored and told of a run, such as `https`, `pass` and `steady`. They would
 * be there whatever anybody's secret is.
 */
function productWords(): ReadonlySet<string> {
  words ??= new Set([runDocumentSchema, runEventSchema, dryRunReportSchema].flatMap(wordsOf));
  return words;
}

let words: ReadonlySet<string> | null = null;

function wordsOf(schema: z.ZodType): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { enum: choices, const: word } = value as { enum?: unknown; const?: unknown };
    for (const choice of [choices, word].flat()) if (typeof choice === 'string') found.push(choice);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(z.toJSONSchema(schema));
  return found;
}

/** Bytes of a picture in Base64: a secret that happens to stand there is none. */
const encoded: ReadonlySet<string> = new Set(['picture']);

export type Mask = <Value>(value: Value) => Value;

/**
 * Puts `${secret:name}` back in place of each value, however it is spelled, in all texts of whatever it is given. A value
 * that is too short to be looked for everywhere is looked for between other characters than letters and digits.
 */
export function maskSecrets(values: SecretValues): Mask {
  const placeholders = new Map(Object.entries(values).map(([name, value]) => [value, placeholderOf(name)]));
  if (placeholders.size === 0) return (value) => value;
  const replaceLong = openReplacer(withBase64(placeholders));
  const short = [...placeholders].filter(([value]) => value.length < headLength);
  const replaceShort = short.map(([value, placeholder]) => {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, 'gu');
    return (text: string) => text.replace(pattern, () => placeholder);
  });
  const words = productWords();
  const clean = (text: string) =>
    words.has(text) ? text : replaceShort.reduce((rest, replace) => replace(rest), replaceLong(text));
  return (value) => mapTexts(value, clean, encoded);
}

/** A target that was sent `Basic` credentials may give them back as they came. */
function withBase64(placeholders: Map<string, string>): Map<string, string> {
  const spelled = withSpellings(placeholders);
  for (const [value, placeholder] of placeholders) {
    for (const text of base64Spellings(value)) spelled.set(text, placeholder);
  }
  return spelled;
}
