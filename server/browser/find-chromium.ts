import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, isAbsolute, join } from 'node:path';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Path of a Chromium: `CHROMIUM_PATH`, then one installed on this machine, then Playwright's own download; null for none.
 * A `CHROMIUM_PATH` that is set decides alone: when it cannot be run, no other browser takes its place unseen.
 */
export function findChromium(environment: {
  CHROMIUM_PATH?: string | undefined;
  PATH?: string | undefined;
}): string | null {
  const chosen = environment.CHROMIUM_PATH ?? '';
  if (chosen !== '') return isExecutable(chosen) ? chosen : null;
  return (
    [...onPath(environment.PATH ?? process.env.PATH ?? ''), ...applications].find(isExecutable) ??
    downloaded()
  );
}

function onPath(path: string): string[] {
  const directories = path.split(delimiter).filter(isAbsolute);
  return commands.flatMap((command) => directories.map((directory) => join(directory, command)));
}

/** Loads Playwright only when it is asked: it takes longer to load than the whole server. */
function downloaded(): string | null {
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core');
  const path = chromium.executablePath();
  return isExecutable(path) ? path : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
