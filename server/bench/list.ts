import { openDatabase } from '../life/database/open-database.ts';
import { newPermalinkId } from '../life/measurement/create/permalink-id.ts';
import { quantile } from '../method/statistics/quantile.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { storeFinishedRun } from '../testing/store-finished-run.ts';
import type { Figure } from './figure.ts';
import { makeDataDirectory, startMeasuredServer } from './test-server.ts';

const sizes = [100, 10_000];
const requests = 200;

/** `GET /measurements` with few and with many runs stored. */
export async function measureList(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of sizes) {
    const dataDirectory = makeDataDirectory();
    await fill(dataDirectory, size);
    const server = await startMeasuredServer(dataDirectory);
    const ms: number[] = [];
    for (let i = 0; i < requests; i++) {
      const startedAt = performance.now();
      await (await fetch(`${server.url}/api/v1/measurements?limit=25`)).text();
      ms.push(performance.now() - startedAt);
    }
    await server.stop();
    figures.push({
      bench: 'list',
      figure: `GET /measurements, median, ${size} runs stored`,
      value: quantile(ms, 0.5),
      unit: 'ms',
      range: [quantile(ms, 0.05), quantile(ms, 0.95)],
      atMost: null,
    });
  }
  const [few, many] = figures;
  const ratio = (many?.value ?? 0) / (few?.value ?? 1);
  return [
    ...figures,
    { bench: 'list', figure: '10,000 against 100', value: ratio, unit: '×', range: null, atMost: 1.5 },
  ];
}

async function fill(directory: string, size: number): Promise<void> {
  const database = await openDatabase({ directory, url: null });
  const sample = sampleRun({ launches: 1, epochs: 1 });
  for (let i = 0; i < size; i++) {
    const createdAt = 1_700_000_000_000 + i * 1000;
    await storeFinishedRun(database, {
      ...sample,
      id: newPermalinkId(),
      createdAt,
      endedAt: createdAt + 34_000,
    });
  }
  await database.close();
}
