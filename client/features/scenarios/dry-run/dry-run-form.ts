import { sidesOfPair, type TransportPair } from '../../../../shared/base/transport.ts';
import type { Site } from '../../../../shared/scenario/recording.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { type TargetForm, targetOfForm, targetOfSite } from '../../../format/target-form.ts';
import { secretsIn } from '../secret-fields.tsx';

export type DryRunForm = {
  target: TargetForm;
  pair: keyof typeof pairs;
  secrets: Record<string, string>;
};

export const pairs = {
  https: { label: 'HTTP and HTTPS', transports: ['http', 'https'] },
  h2: { label: 'HTTP and HTTPS with HTTP/2', transports: ['http', 'h2'] },
} as const satisfies Record<string, { label: string; transports: TransportPair }>;

/** @param site where the scenario was recorded */
export function untouched(site: Site | null): DryRunForm {
  return { target: targetOfSite(site), pair: 'https', secrets: {} };
}

/** What the server is asked. Null when a field is still empty. */
export function requestOf(form: DryRunForm, scenario: Scenario, secrets: readonly string[]) {
  const target = targetOfForm(form.target);
  if (target === null) return null;
  const { id: _, ...unsaved } = scenario;
  return {
    target,
    sides: sidesOfPair(pairs[form.pair].transports),
    scenario: unsaved,
    secrets: Object.fromEntries(
      secrets.flatMap((name) => {
        const value = form.secrets[name] ?? '';
        return value === '' ? [] : [[name, value]];
      }),
    ),
  };
}

/** In the steps that are sent, as they stand on the screen. */
export function namesOfSecrets({ steps, pages, sensitivePaths }: Scenario): string[] {
  const sent = steps.filter(({ enabled }) => enabled).map(({ path, headers, body }) => [path, headers, body]);
  return secretsIn([sent, pages, sensitivePaths]);
}
