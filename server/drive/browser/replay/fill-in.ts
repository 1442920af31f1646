import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { SecretValues } from '../../../../shared/scenario/scenario.ts';
import { mapTexts } from '../../../intake/traffic/map-texts.ts';

/** The action with the values of its secrets; one that has no value stays as it is written. */
export function fillIn(action: BrowserAction, secrets: SecretValues): BrowserAction {
  return mapTexts(action, (text) =>
    text.replace(/\$\{secret:(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(secrets, name) ? (secrets[name] ?? written) : written,
    ),
  );
}
