import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';
import { problem } from '../../../shared/base/problem.ts';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Path of a Chromium: `CHROMIUM_PATH`, then one installed on this machine, then Playwright's own download; null for none.
 * A `CHROMIUM_PATH` that is set decides alone: when it cannot be run, no other browser takes its place unseen.
 * @param preferred commands to look for before the usual ones
 */
export function findChromium(
  environment: { CHROMIUM_PATH?: string | undefined; PATH?: string | undefined },
  preferred: readonly string[] = [],
): string | null {
  const chosen = environment.CHROMIUM_PATH ?? '';
  if (chosen !== '') return isExecutable(chosen) ? chosen : null;
  return (
    [
      ...onPath([...preferred, ...commands], environment.PATH ?? process.env.PATH ?? ''),
      ...applications,
    ].find(isExecutable) ?? downloaded()
  );
}

/** The one that a house names, or else one of this machine; null for none. */
export function chromiumOf({ chromiumPath }: { chromiumPath: string | null }): string | null {
  return findChromium({ ...process.env, ...(chromiumPath === null ? {} : { CHROMIUM_PATH: chromiumPath }) });
}

/** Throws browser_missing. */
export function demandChromium(house: Parameters<typeof chromiumOf>[0], why: string): string {
  const path = chromiumOf(house);
  if (path === null) throw problem('browser_missing', why);
  return path;
}

function onPath(names: readonly string[], path: string): string[] {
  const directories = path.split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => directories.map((directory) => join(directory, name)));
}

/** Loads Playwright only when it is asked: it takes longer to load than the whole server. */
function downloaded(): string | null {
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');
  const path = chromium.executablePath();
  return isExecutable(path) ? path : null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
