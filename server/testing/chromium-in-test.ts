import { findChromium } from '../drive/browser/find-chromium.ts';

/**
 * For tests: Chromium without the parts that only a window needs, for half of the CPU of a whole one. Each thing that
 * `server/drive/browser/` does with a browser is tested once with the whole one, which users have, and its details with this.
 */
export const chromiumInTest = findChromium(process.env, ['chromium-headless-shell']);
