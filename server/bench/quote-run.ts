import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { performRun } from './perform-run.ts';
import { figuresOfRuns, type Targets } from './run-figures.ts';
import { startMeasuredServer } from './test-server.ts';

const targets: Targets = {
  seconds: 240,
  halfWidths: { cpu_at_load: 2, latency_p50: 2, throughput: 5 },
};

/** A run of the length quote: how long it takes, how narrow its intervals are, and what it stores. */
export async function measureQuoteRun(seed: number): Promise<Figure[]> {
  const server = await startMeasuredServer();
  try {
    const before = sizeOf(server.dataDirectory);
    const startedAt = performance.now();
    const document = await performRun(server.url, { length: 'quote', seed });
    const seconds = (performance.now() - startedAt) / 1000;
    const value = (sizeOf(server.dataDirectory) - before) / 1e6;
    return [
      ...figuresOfRuns('quick', 'quote', [{ document, seconds }], targets),
      {
        bench: 'quick',
        figure: 'stored by a run of the length quote',
        value,
        unit: 'MB',
        range: null,
        atMost: 2,
      },
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
