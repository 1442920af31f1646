import type { BrowserContext } from 'playwright-core';
import { z } from 'zod';
import { openTypedSecrets, type TypedSecrets } from '../../../intake/traffic/typed-secrets.ts';

const binding = '__tlsTollTyped';
const typedSchema = z.tuple([z.string().max(50), z.string().max(200), z.string().max(1000)]);

/**
 * Learns what is typed into password fields, before the recorder hears of it.
 * @param taken names of secrets that are replaced already
 */
export async function watchPasswords(
  context: BrowserContext,
  taken: readonly string[] = [],
): Promise<TypedSecrets> {
  const secrets = openTypedSecrets(taken);
  await context.exposeBinding(binding, (_source, ...typed: unknown[]) => {
    const { data } = typedSchema.safeParse(typed);
    if (data !== undefined) secrets.typed(...data);
  });
  await context.addInitScript(listen, binding);
  return secrets;
}

/**
 * Runs in the page. Listens on the window, so before whoever listens on the document; a field that once was a password
 * stays one when the page shows it in plain text.
 */
function listen(name: string): void {
  const tell = (globalThis as unknown as Record<string, (...values: string[]) => void>)[name];
  const known = new WeakMap<Element, string>();
  const mark = Math.random().toString(36).slice(2);
  const secretPurposes = /(?:current|new)-password|one-time-code|cc-(?:number|csc)/;
  let count = 0;
  globalThis.addEventListener(
    'input',
    (event) => {
      const field = event.composedPath()[0];
      if (!(field instanceof HTMLInputElement)) return;
      if (!known.has(field) && field.type !== 'password' && !secretPurposes.test(field.autocomplete)) return;
      const id = known.get(field) ?? `${mark}-${count++}`;
      known.set(field, id);
      tell?.(id, (field.name || field.id).slice(0, 200), field.value.slice(0, 1000));
    },
    true,
  );
}
