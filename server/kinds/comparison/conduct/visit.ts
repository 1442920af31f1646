import { type Arm, isEncrypted, transportFacts } from '../../../../shared/base/transport.ts';
import type { CacheReport } from '../../../../shared/kinds/comparison/cache-report.ts';
import { cacheUnavailable } from '../../../drive/browser/cache-unavailable.ts';
import { chromiumOf } from '../../../drive/browser/find-chromium.ts';
import { type CacheMeasurement, measureCache } from '../../../drive/browser/measure-cache.ts';
import type { OpenTarget, RunHouse } from '../../../targets/open-target.ts';
import type { RunUnderWay } from './run-under-way.ts';

type PlannedVisit = Pick<CacheMeasurement, 'executablePath' | 'pages' | 'sensitivePaths'>;
type Visited = Pick<OpenTarget<Arm>, 'listeners'>;

/** Longest time after `measured`. */
const longestMs = 8000;

/** The planned visit, or a sentence that says why there is none. */
export function planVisit(
  { plan, request, scenario }: Pick<RunUnderWay, 'plan' | 'request' | 'scenario'>,
  { listeners: { baseline, comparison } }: Visited,
  house: RunHouse,
): PlannedVisit | string {
  if (house.browser === null) return 'This run is measured without a browser.';
  if (plan.permit !== undefined) {
    return 'The target is on another host, and a browser would not keep to its limits.';
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
      : steps
          .filter((step) => step.method === 'GET' && step.body === undefined && !step.path.includes('${'))
          .map(({ path }) => path);
  if (visited.length === 0) return 'The scenario has no page that a browser can visit.';
  return { executablePath, pages: [...new Set([...visited, ...sensitivePaths])], sensitivePaths };
}

/**
 * Visits the target after the last measurement, because a browser takes a third of a machine with two cores. If the browser hangs
 * or fails, or if the run ends meanwhile, only the cache section is lost.
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
