import { median } from '../method/statistics/quantile.ts';
import type { Figure } from './figure.ts';
import { startMeasuredServer } from './test-server.ts';

const repetitions = 7;

/** From starting the process to the first answer, on an empty data directory. */
export async function measureReady(): Promise<Figure[]> {
  const seconds: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    const startedAt = performance.now();
    const server = await startMeasuredServer();
    await (await fetch(`${server.url}/api/v1/health`)).text();
    seconds.push((performance.now() - startedAt) / 1000);
    await server.stop();
  }
  const range: [number, number] = [Math.min(...seconds), Math.max(...seconds)];
  return [
    { bench: 'ready', figure: 'server answers after', value: median(seconds), unit: 's', range, atMost: 2 },
  ];
}
