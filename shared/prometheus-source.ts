import { z } from 'zod';
import { exporterFault, usualMetrics } from './exporter-fault.ts';
import { type MetricSelector, selectorFault } from './metric-selector.ts';

/** An exporter in Prometheus' text format that knows what the target uses, where no agent may run. */

function selectorSchema(usual: string) {
  return z
    .string()
    .max(300)
    .superRefine((text, context) => {
      const message = selectorFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .default(usual);
}

export const prometheusSourceSchema = z.strictObject({
  url: z
    .string()
    .max(500)
    .superRefine((text, context) => {
      const message = exporterFault(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({ format: 'uri' }),
  /** CPU seconds of the target's processes, counted up. */
  cpu: selectorSchema(usualMetrics.cpu),
  /** Their resident memory, in bytes. */
  memory: selectorSchema(usualMetrics.memory),
});
export type PrometheusSource = z.infer<typeof prometheusSourceSchema>;

/** Looked up once and pinned. */
export type ExporterAt = {
  address: string;
  port: number;
  hostname: string;
  /** With its query. */
  path: string;
  secure: boolean;
  /** PEM of the authority to trust; null for the system's. */
  ca: string | null;
  /** As it was asked for. */
  name: string;
  cpu: { selector: MetricSelector; text: string };
  memory: { selector: MetricSelector; text: string };
  mostPerS: number;
};
