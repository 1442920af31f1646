/** Of a Prometheus exporter, what a form says before anything is sent. */

/** Metrics that are meant where none is named. */
export const usualMetrics = {
  cpu: 'process_cpu_seconds_total',
  memory: 'process_resident_memory_bytes',
} as const;

/** What is wrong with the address of an exporter, in a sentence; null when nothing is. */
export function exporterProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'Give the whole address of the metrics, such as http://10.1.0.5:9256/metrics.';
  }
  if (url.username !== '' || url.password !== '') return 'Leave name and password out of the address.';
  return null;
}
