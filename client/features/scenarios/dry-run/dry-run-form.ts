import type { Scenario } from '../../../../shared/scenario.ts';
import type { TransportPair } from '../../../../shared/transport.ts';

export type DryRunForm = {
  kind: 'storefront' | 'foreign';
  pair: keyof typeof pairs;
  http: string;
  https: string;
  ca: string;
  secrets: Record<string, string>;
};

export const pairs = {
  https: { label: 'HTTP and HTTPS', transports: ['http', 'https'] },
  h2: { label: 'HTTP and HTTPS with HTTP/2', transports: ['http', 'h2'] },
} as const satisfies Record<string, { label: string; transports: TransportPair }>;

export const untouched: DryRunForm = {
  ...{ kind: 'storefront', pair: 'https', http: '', https: '', ca: '', secrets: {} },
};

/** What the server is asked; what is wrong with an origin is its to say. Null when a field is still empty. */
export function requestOf(form: DryRunForm, scenario: Scenario, secrets: readonly string[]) {
  const [http, https, ca] = [form.http.trim(), form.https.trim(), form.ca.trim()];
  if (form.kind === 'foreign' && (http === '' || https === '')) return null;
  const { id: _, ...unsaved } = scenario;
  return {
    target: form.kind === 'storefront' ? form.kind : { http, https, ...(ca === '' ? {} : { ca }) },
    transports: pairs[form.pair].transports,
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
  const text = JSON.stringify([sent, pages, sensitivePaths]);
  const names = [...text.matchAll(/\$\$\{|\$\{secret:([A-Za-z_]\w{0,49})\}/g)];
  return [...new Set(names.flatMap(([, name]) => name ?? []))];
}
