import type { Observe } from '../measurement/observer.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** What this process tells an OpenTelemetry collector about itself. Nothing here throws, or waits for the collector. */
export type Telemetry = {
  /** A span for an answer of the API. */
  noteRequest(request: EndedRequest): void;
  /** A trace for each measurement that ends in this process. */
  observe: Observe;
  /** Sends the metrics every minute from now on. */
  sendMetrics(metrics: Pick<Metrics, 'families'>): void;
  /** Sends what is left, and waits two seconds for it at most. */
  close(): Promise<void>;
};

/** Times in milliseconds since 1970. */
export type EndedRequest = {
  method: string;
  /** Template of the address, such as `/api/v1/measurements/{id}`; null where no endpoint has it. */
  route: string | null;
  /** Null when the sender left before there was a response. */
  status: number | null;
  startedAt: number;
  endedAt: number;
  /** The span of the sender that the request belongs to, as its W3C headers say. */
  parent: { traceparent?: string | string[] | undefined; tracestate?: string | string[] | undefined };
};

/** Times in milliseconds since 1970. */
export type PlainSpan = {
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string | number>;
  /** In constant words; null when nothing went wrong, or somebody else did. */
  error: string | null;
};
