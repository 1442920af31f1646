import { findChromium } from '../drive/browser/find-chromium.ts';

/**
 * For tests: Chromium without the parts that only a window needs, for half of the CPU of a whole one. What `server/drive/browser/`
 * does with a browser is tested with the whole one, which users have.
 */
export const chromiumInTest = findChromium(process.env, ['chromium-headless-shell']);
