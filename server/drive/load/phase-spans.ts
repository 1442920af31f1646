/** What the phases of a request or a transaction took, in ms; 0 for one that did not happen. */
export type PhaseSpans = { connectMs: number; tlsMs: number; ttfbMs: number; downloadMs: number };

export function noSpans(): PhaseSpans {
  return { connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 };
}

export function clearSpans(spans: PhaseSpans): void {
  spans.connectMs = 0;
  spans.tlsMs = 0;
  spans.ttfbMs = 0;
  spans.downloadMs = 0;
}

export function addSpans(sums: PhaseSpans, spans: PhaseSpans): void {
  sums.connectMs += spans.connectMs;
  sums.tlsMs += spans.tlsMs;
  sums.ttfbMs += spans.ttfbMs;
  sums.downloadMs += spans.downloadMs;
}
