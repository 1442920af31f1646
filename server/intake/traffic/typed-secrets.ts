import type { Secret } from '../../../shared/scenario/import.ts';
import type { Exchange } from '../../../shared/scenario/recording.ts';
import { openCommonWords, openPairReplacer, replaceWhole } from './common-words.ts';
import { findSecrets } from './find-secrets.ts';
import { closedFields, mapTexts } from './map-texts.ts';
import { cleanExchange, replaceCommon } from './redact.ts';
import { headLength, openReplacer } from './replace-values.ts';
import { asVariableName, openNames, placeholderOf } from './secret-names.ts';
import { decode, mapSentValues } from './sent-values.ts';
import { withSpellings } from './spellings.ts';

/** What was typed into password fields, key by key, and what keeps it from being seen. */
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
      // As it is meant, and as an address spells it.
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
