import type { RequestHandler } from 'express';

/** Of this process itself, for Prometheus and OpenTelemetry. */
export type Metrics = {
  /** Measures every response. */
  measureRequests: RequestHandler;
  /** In the text format of Prometheus, of the given type. */
  read(): Promise<{ text: string; mediaType: string }>;
  /** The same as numbers. */
  families(): Promise<MetricFamily[]>;
};

/** A metric and all its values. */
export type MetricFamily = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram' | 'summary';
  values: readonly MetricValue[];
};

/** Of a histogram, the name of each value says which part of it this is; `le` is the upper bound of a bucket. */
export type MetricValue = { metricName?: string; labels: Record<string, string | number>; value: number };
