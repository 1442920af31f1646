import { z } from 'zod';
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
  cpu: selectorSchema('process_cpu_seconds_total'),
  /** Their resident memory, in bytes. */
  memory: selectorSchema('process_resident_memory_bytes'),
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

/** What is wrong with the address of an exporter, in a sentence; null when nothing is. */
export function exporterFault(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'Give the whole address of the metrics, such as http://10.1.0.5:9256/metrics.';
  }
  if (url.username !== '' || url.password !== '') return 'Leave name and password out of the address.';
  return null;
}
