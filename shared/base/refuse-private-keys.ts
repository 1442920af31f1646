import type { z } from 'zod';
import { holdsPrivateKey } from './pem.ts';

/**
 * Refuses a private key in any text of a value that is to be stored, and names its field. Where a certificate is asked for, its
 * schema has cut the key out before. The `secrets` beside a request are never stored.
 */
export function refusePrivateKeys(value: object, context: z.RefinementCtx): void {
  const stored = { ...value, secrets: null };
  for (const path of pathsOfKeys(stored)) {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
    const instead = path.includes('steps') ? ', or write ${secret:name} in its place' : '';
    const message = `a private key would be open to everybody with the link; leave it out${instead}`;
    context.addIssue({ code: 'custom', path, message });
  }
}

function pathsOfKeys(value: unknown): (string | number)[][] {
  if (typeof value === 'string') return holdsPrivateKey(value) ? [[]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    pathsOfKeys(inner).map((path) => [Array.isArray(value) ? Number(name) : name, ...path]),
  );
}
