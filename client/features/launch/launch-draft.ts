import { connectionPolicies, presets } from '../../../shared/kinds/comparison/load-names.ts';
import { serverKeys, serverNames } from '../../../shared/target/server-names.ts';
import { targetChoices } from '../../../shared/words/target-words.ts';
import { comparisons, emptyForm, type LaunchForm } from './form-shape.ts';
import { chainLengths } from './managed-server.ts';

/**
 * What the user typed, kept for this tab across reloads, Back, and other pages. Secrets, tokens, and a certificate trusted for one
 * run are not kept.
 */

const key = 'tls-toll:launch-form';

export function readDraft(): LaunchForm {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return { ...emptyForm, ...Object.fromEntries(Object.entries(kept ?? {}).filter(isOffered)) };
  } catch {
    return emptyForm;
  }
}

export function keepDraft({ secrets, trust, agentToken, prometheusToken, ...kept }: LaunchForm): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing loses the draft, not the form.
  }
}

/** Another version of this page may have kept it. */
function isOffered([name, value]: [string, unknown]): boolean {
  if (['secrets', 'trust', 'agentToken', 'prometheusToken'].includes(name) || !isField(name)) return false;
  if (typeof value !== typeof emptyForm[name]) return false;
  return choices[name]?.some((choice) => choice === value) ?? true;
}

function isField(name: string): name is keyof LaunchForm {
  return Object.hasOwn(emptyForm, name);
}

const choices: Partial<Record<keyof LaunchForm, readonly string[]>> = {
  targetKind: targetChoices.map(({ value }) => value),
  server: serverNames,
  key: serverKeys,
  chain: chainLengths,
  preset: presets,
  comparison: Object.keys(comparisons),
  version: ['best', 'TLSv1.3', 'TLSv1.2'],
  resumption: ['none', 'tickets', 'mix'],
  connectionPolicy: connectionPolicies,
};
