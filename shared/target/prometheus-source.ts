import { z } from 'zod';
import { soundText } from '../base/sound-text.ts';
import { type MetricSelector, selectorProblem } from '../kinds/comparison/metric-selector.ts';
import { exporterProblem, usualMetrics } from './exporter-problem.ts';

/** An exporter in Prometheus' text format that knows what the target uses, where no agent may run. */

export const prometheusSourceSchema = z.strictObject({
  url: soundText(500, exporterProblem).meta({ format: 'uri' }),
  /** CPU seconds of the target's processes, counted up. */
  cpu: soundText(300, selectorProblem).default(usualMetrics.cpu),
  /** Their resident memory, in bytes. */
  memory: soundText(300, selectorProblem).default(usualMetrics.memory),
  /** Asked with a bearer token, which is the run's secret `exporter_token`. */
  bearer: z.literal(true).optional(),
});
export type PrometheusSource = z.infer<typeof prometheusSourceSchema>;

/** Name of the secret that holds the exporter's token, beside a run's other secrets. */
export const exporterTokenName = 'exporter_token';

/** What may stand behind `Bearer`: RFC 6750, section 2.1. */
export const exporterTokenSchema = z
  .string()
  .max(8192)
  .regex(/^[\w.~+/-]+=*$/, 'a bearer token is letters, digits and -._~+/ on one line');

/** Looked up once and pinned. */
export type ExporterAt = {
  address: string;
  port: number;
  hostname: string;
  /** With its query. */
  path: string;
  secure: boolean;
  /** Whether it is asked with a token. */
  bearer: boolean;
  /** PEM of the authority to trust; null for the system's. */
  ca: string | null;
  /** As it was asked for. */
  name: string;
  cpu: { selector: MetricSelector; text: string };
  memory: { selector: MetricSelector; text: string };
  mostPerS: number;
};
