import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { CacheReport } from '../../../shared/kinds/comparison/cache-report.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { cacheFindings } from './cache-findings.ts';
import { CacheProblem, cacheUnavailable } from './cache-unavailable.ts';
import { summariseSide } from './summarise-side.ts';
import { readTrustedKey } from './trusted-key.ts';
import { visitTwice } from './visit-twice.ts';
import { withChromium } from './with-chromium.ts';

export type CacheMeasurement = {
  executablePath: string;
  baseline: Listener;
  comparison: Listener;
  /** PEM of the authority behind the comparison's listener; null for one that Chromium knows by itself. */
  caPem: string | null;
  /** Visited in this order in one tab; the sensitive paths that are not among them come last. */
  pages: readonly string[];
  sensitivePaths: readonly string[];
  /** For the whole section. */
  timeoutMs: number;
  signal?: AbortSignal;
};

/**
 * Visits the pages twice on each side, the baseline without TLS first, in one real Chromium, and tells what its cache did.
 *
 * Always resolves with a report: a section that could not be measured has no sides, and a finding that says why.
 * Rejects only when `signal` is aborted, with its reason.
 */
export async function measureCache(measurement: CacheMeasurement): Promise<CacheReport> {
  const { executablePath, baseline, comparison, timeoutMs, signal: cancelled } = measurement;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = cancelled === undefined ? deadline : AbortSignal.any([deadline, cancelled]);
  if (!existsSync(executablePath)) {
    return cacheUnavailable(
      `There is no Chromium at ${executablePath}, so the cache was not measured. Install one, or set CHROMIUM_PATH.`,
    );
  }
  try {
    const trustedSpki = await trustedKey(measurement, signal);
    const launch = { executablePath, listeners: [baseline, comparison], trustedSpki, timeoutMs };
    return await withChromium(launch, signal, (browser) => visitBothSides(browser, measurement, signal));
  } catch (error) {
    cancelled?.throwIfAborted();
    if (deadline.aborted) {
      return cacheUnavailable(
        `The visits could not be finished in ${timeoutMs / 1000} s, so the cache was not measured. Look whether every page loads in a browser.`,
      );
    }
    return cacheUnavailable(reasonOf(error));
  }
}

async function visitBothSides(
  browser: Browser,
  { baseline, comparison, pages, sensitivePaths }: CacheMeasurement,
  signal: AbortSignal,
): Promise<CacheReport> {
  const allPages = [...new Set([...pages, ...sensitivePaths])];
  const visit = async (listener: Listener) =>
    summariseSide(await visitTwice(browser, listener, allPages, signal), sensitivePaths);
  const plain = await visit(baseline);
  const secure = await visit(comparison);
  return {
    baseline: plain.side,
    comparison: secure.side,
    browser: `Chromium ${browser.version()}`,
    findings: cacheFindings(plain, secure, sensitivePaths),
  };
}

async function trustedKey(
  { comparison, caPem }: CacheMeasurement,
  signal: AbortSignal,
): Promise<string | null> {
  if (caPem === null && comparison.trust === undefined) return null;
  try {
    return await readTrustedKey(comparison, caPem, signal);
  } catch (error) {
    throw new CacheProblem(
      `The certificate of ${comparison.hostname}:${comparison.port} could not be verified (${firstLine(error)}), and Chromium does not cache what it does not trust, so the cache was not measured. Give the certificate of the authority that signed it, or the certificate itself if it is self-signed.`,
    );
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof CacheProblem) return error.message;
  return `Chromium failed, so the cache was not measured: ${firstLine(error)}. Try CHROMIUM_PATH with another Chromium.`;
}

/** Playwright puts its call log below the first line, Node its advice on its own options behind a semicolon. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split(/[\n;]/)[0] ?? '').replace(/\.$/, '');
}
