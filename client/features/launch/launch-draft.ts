import { withoutPrivateKeys } from '../../../shared/base/pem.ts';
import { transports } from '../../../shared/base/transport.ts';
import { comparisonOptions, type Length, lengthNames } from '../../../shared/kinds/comparison/options.ts';
import { serverNames } from '../../../shared/target/server-options.ts';
import { targetChoices } from '../../../shared/target/target-words.ts';
import { choicesOf } from '../../format/option-field.ts';
import { emptyForm, type LaunchForm, ownChoicesOf, sideRows } from './form-shape.ts';

/**
 * The user's input, kept for this tab across reloads, Back, and other pages. Secrets, tokens, private keys, and a certificate
 * trusted for one run are not kept.
 */

const key = 'tls-toll:launch-form';

const neverKept = ['secrets', 'trust', 'sides.comparison.target.trust', 'agentToken', 'prometheusToken'];

export function readDraft(): LaunchForm {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return { ...emptyForm, ...Object.fromEntries(Object.entries(kept ?? {}).filter(isOffered)) };
  } catch {
    return emptyForm;
  }
}

export function keepDraft(form: LaunchForm): void {
  const kept = Object.entries(form)
    .filter(([name]) => !neverKept.includes(name))
    .map(([name, value]) => [name, typeof value === 'string' ? withoutPrivateKeys(value) : value]);
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that keeps nothing loses the draft, not the form.
  }
}

/** Another version of this page may have kept it. */
function isOffered([name, value]: [string, unknown]): boolean {
  if (neverKept.includes(name) || !isField(name)) return false;
  if (typeof value !== typeof emptyForm[name]) return false;
  return choices[name]?.some((choice) => choice === value) ?? true;
}

function isField(name: string): name is keyof LaunchForm {
  return Object.hasOwn(emptyForm, name);
}

const choices: Partial<Record<keyof LaunchForm, readonly string[]>> = {
  targetKind: targetChoices.map(({ value }) => value),
  server: serverNames,
  'sides.baseline.transport': transports,
  'sides.comparison.transport': transports,
  'sides.comparison.target.server': ['', ...serverNames],
  ...Object.fromEntries(
    sideRows.flatMap(({ option, ids }) => {
      const offered = ownChoicesOf(option);
      return offered === null ? [] : [[ids.comparison, offered.map(({ value }) => value)]];
    }),
  ),
  ...Object.fromEntries(
    comparisonOptions.flatMap(({ id, option }) =>
      option.type === 'choice' ? [[id, choicesOf(option).map(({ value }) => value)]] : [],
    ),
  ),
};

/** Parameters of an address for the form: a scenario, or a run to repeat. */
export type Brought = { scenario: string | null; again: string | null; length: Length | null };

/** Null where the form stays as it was. */
export function readBrought(address: URLSearchParams): Brought | null {
  const [scenario, again] = [address.get('scenario'), address.get('again')];
  if (scenario === null && again === null) return null;
  const length = lengthNames.find((name) => name === address.get('length')) ?? null;
  return { scenario, again, length };
}
