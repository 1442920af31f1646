import type { RequestHandler } from 'express';

/** Of this process itself, for Prometheus. */
export type Metrics = {
  /** Measures every response. */
  measureRequests: RequestHandler;
  /** In the text format of Prometheus, of the given type. */
  read(): Promise<{ text: string; mediaType: string }>;
};
