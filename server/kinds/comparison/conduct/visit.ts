import { type Arm, isEncrypted, transportFacts } from '../../../../shared/base/transport.ts';
import type { CacheReport } from '../../../../shared/kinds/comparison/cache-report.ts';
import { cacheUnavailable } from '../../../drive/browser/cache-unavailable.ts';
import { chromiumOf } from '../../../drive/browser/find-chromium.ts';
import { type CacheMeasurement, measureCache } from '../../../drive/browser/measure-cache.ts';
import type { OpenTarget, RunHouse } from '../../../targets/open-target.ts';
import type { RunUnderWay } from './run-under-way.ts';

type PlannedVisit = Pick<CacheMeasurement, 'executablePath' | 'pages' | 'sensitivePaths'>;
type Visited = Pick<OpenTarget<Arm>, 'listeners'>;

/** From `measured` on. */
const longestMs = 8000;

/** What a browser will visit, or a sentence that says why none will. */
export function planVisit(
  { plan, request, scenario }: Pick<RunUnderWay, 'plan' | 'request' | 'scenario'>,
  { listeners: { baseline, comparison } }: Visited,
  house: RunHouse,
): PlannedVisit | string {
  if (house.browser === null) return 'This run is measured without a browser.';
  if (plan.permit !== undefined) {
    return 'The target is on another host, and a browser does not keep to its limits.';
  }
  if (request.link !== undefined) {
    return 'This run is measured over a link, which a browser would not take.';
  }
  const plain = transportFacts[baseline.transport];
  if (plain.encrypted || plain.httpVersion !== '1.1' || !isEncrypted(comparison.transport)) {
    return 'The cache comparison needs one side with HTTP/1.1 without TLS and one side with TLS.';
  }
  if (comparison.clientIdentity !== undefined) {
    return 'This server requires a client certificate, which the browser does not have.';
  }
  const executablePath = chromiumOf(house);
  if (executablePath === null) {
    return 'No Chromium was found. Install one, or set CHROMIUM_PATH, and repeat the run.';
  }
  const { pages, sensitivePaths, steps } = scenario;
  const visited =
    pages.length > 0
      ? pages
      : steps.filter(({ method, path }) => method === 'GET' && !path.includes('${')).map(({ path }) => path);
  if (visited.length === 0) return 'The scenario has no page that a browser can visit.';
  return { executablePath, pages: [...new Set([...visited, ...sensitivePaths])], sensitivePaths };
}

/**
 * Visits what was measured, once nothing of it is measured any more: a browser beside a run takes a third of a machine with two
 * cores. One that hangs or fails, or a run that is ended meanwhile, costs the cache section and nothing else.
 */
export async function visit(
  planned: PlannedVisit,
  { listeners: { baseline, comparison } }: Visited,
  signal: AbortSignal,
): Promise<CacheReport> {
  const sides = { baseline, comparison, caPem: comparison.ca };
  try {
    return await measureCache({ ...planned, ...sides, timeoutMs: longestMs, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return cacheUnavailable('The run was ended during the browser’s visits, so the cache was not measured.');
  }
}
