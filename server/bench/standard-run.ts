import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { performRun } from './perform-run.ts';
import { startMeasuredServer } from './test-server.ts';

/** A standard run: what it stores, and how narrow its intervals are. */
export async function measureStandardRun(): Promise<Figure[]> {
  const server = await startMeasuredServer();
  try {
    const before = sizeOf(server.dataDirectory);
    const startedAt = performance.now();
    const document = await performRun(server.url, { preset: 'standard' });
    const seconds = (performance.now() - startedAt) / 1000;
    const megabytes = (sizeOf(server.dataDirectory) - before) / 1e6;
    const widths = document.metrics.flatMap(({ id, ratio }) => {
      if (ratio === null || !['cpu_per_transaction', 'throughput', 'latency_p50'].includes(id)) return [];
      const value = ((ratio.hi - ratio.lo) / 2) * 100;
      const figure = `half-width of ${id}`;
      return [
        { bench: 'standard', figure, value, unit: '%', range: null, atMost: id === 'latency_p50' ? null : 5 },
      ];
    });
    return [
      {
        bench: 'standard',
        figure: `standard run (${document.state})`,
        value: seconds,
        unit: 's',
        range: null,
        atMost: null,
      },
      { bench: 'standard', figure: 'stored by it', value: megabytes, unit: 'MB', range: null, atMost: 2 },
      ...widths,
    ];
  } finally {
    await server.stop();
  }
}

/** Of the runs' database; the demo shop's own files are not the run's. */
function sizeOf(directory: string): number {
  return readdirSync(directory)
    .filter((name) => /^(tls-toll|runs)\.sqlite/.test(name))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}
