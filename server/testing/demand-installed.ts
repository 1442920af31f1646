import { fileURLToPath } from 'node:url';
import { isInstalled } from '../bin/up-to-date.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * For tests of programs that make a clone ready: with a lockfile that asks for other packages, they would replace node_modules
 * under every test that runs beside them.
 */
export function demandInstalled(): void {
  if (!isInstalled(root, { development: true }))
    throw new Error('node_modules does not match package-lock.json. Run npm ci, then this test again.');
}
