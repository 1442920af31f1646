import { type Arm, isEncrypted, transportFacts } from '../../../../shared/base/transport.ts';
import type { CacheReport } from '../../../../shared/kinds/comparison/cache-report.ts';
import { cacheUnavailable } from '../../../drive/browser/cache-unavailable.ts';
import { findChromium } from '../../../drive/browser/find-chromium.ts';
import { measureCache } from '../../../drive/browser/measure-cache.ts';
import type { OpenTarget, RunHouse } from '../../../targets/open-target.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** Where the run waits for it, and where the browser goes on beside it. */
const timeoutMs = { before: 6000, beside: 60_000 };

/**
 * The cache section. A browser that is missing or fails costs the section, not the run.
 * @param pidFile that is to hold the browser's process ID, where the run goes on meanwhile
 */
export async function visitInBrowser(
  run: RunUnderWay,
  target: OpenTarget<Arm>,
  house: RunHouse,
  signal: AbortSignal,
  pidFile?: string,
): Promise<CacheReport> {
  if (house.browser === null) return cacheUnavailable('This run is measured without a browser.');
  const { baseline, comparison } = target.listeners;
  if (run.plan.permit !== undefined) {
    return cacheUnavailable('The target is on another host, and a browser does not keep to its limits.');
  }
  if (run.request.link !== undefined) {
    return cacheUnavailable('This run is measured over a link, which a browser would not take.');
  }
  const plain = transportFacts[baseline.transport];
  if (plain.encrypted || plain.httpVersion !== '1.1' || !isEncrypted(comparison.transport)) {
    return cacheUnavailable(
      'The cache comparison needs one side with HTTP/1.1 without TLS and one side with TLS.',
    );
  }
  if (comparison.clientIdentity !== undefined) {
    return cacheUnavailable('This server requires a client certificate, which the browser does not have.');
  }
  const executablePath = findChromium({
    ...process.env,
    ...(house.chromiumPath === null ? {} : { CHROMIUM_PATH: house.chromiumPath }),
  });
  if (executablePath === null) {
    return cacheUnavailable('No Chromium was found. Install one, or set CHROMIUM_PATH, and repeat the run.');
  }
  const { pages, sensitivePaths, steps } = run.scenario;
  const visited =
    pages.length > 0
      ? pages
      : steps.filter(({ method, path }) => method === 'GET' && !path.includes('${')).map(({ path }) => path);
  if (visited.length === 0) return cacheUnavailable('The scenario has no page that a browser can visit.');
  return measureCache({
    executablePath,
    baseline,
    comparison,
    caPem: comparison.ca,
    pages: [...new Set([...visited, ...sensitivePaths])],
    sensitivePaths,
    timeoutMs: pidFile === undefined ? timeoutMs.before : timeoutMs.beside,
    pidFile,
    signal,
  });
}
