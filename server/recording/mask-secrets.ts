import type { SecretValues } from '../../shared/scenario.ts';
import { mapTexts } from './map-texts.ts';
import { withSpellings } from './redact.ts';
import { openReplacer } from './replace-values.ts';
import { placeholderOf } from './secret-names.ts';

export type Mask = <Value>(value: Value) => Value;

/** Puts `${secret:name}` back in place of each value, however it is spelled, in all texts of whatever it is given. */
export function maskSecrets(values: SecretValues): Mask {
  const placeholders = new Map(Object.entries(values).map(([name, value]) => [value, placeholderOf(name)]));
  if (placeholders.size === 0) return (value) => value;
  const clean = openReplacer(withSpellings(placeholders));
  return (value) => mapTexts(value, clean);
}
