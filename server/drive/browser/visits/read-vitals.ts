import type { Page } from 'playwright-core';

/** Of one document, in milliseconds from the start of its navigation. */
export type Vitals = {
  /** Milliseconds since 1970; tells the document from others of its page. */
  timeOrigin: number;
  path: string;
  ttfbMs: number;
  fcpMs: number | null;
  lcpMs: number | null;
  loadMs: number;
};

/** Of the document that the page shows; null when it is none that came over the network, such as about:blank. */
export function readVitals(page: Page): Promise<Vitals | null> {
  return page.evaluate(vitalsHere);
}

/** Runs in the page. A document is painted some frames after it is loaded, and a busy machine is late with them. */
async function vitalsHere(): Promise<Vitals | null> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation === undefined || !location.protocol.startsWith('http')) return null;
  const lastOf = (type: string, name?: string) =>
    new Promise<number | null>((resolve) => {
      const told = (entries: PerformanceEntryList) =>
        entries.findLast((entry) => name === undefined || entry.name === name)?.startTime;
      const observer = new PerformanceObserver((list) => {
        const startTime = told(list.getEntries());
        if (startTime !== undefined) resolve(startTime);
      });
      observer.observe({ type, buffered: true });
      setTimeout(() => resolve(null), 2_000);
    });
  const fcpMs = await lastOf('paint', 'first-contentful-paint');
  return {
    timeOrigin: performance.timeOrigin,
    path: location.pathname,
    ttfbMs: navigation.responseStart,
    fcpMs,
    lcpMs: fcpMs === null ? null : await lastOf('largest-contentful-paint'),
    loadMs: navigation.loadEventEnd,
  };
}
