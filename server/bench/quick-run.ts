import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { findChromium } from '../drive/browser/find-chromium.ts';
import { launchChromium } from '../drive/browser/launch-chromium.ts';
import { median, quantile } from '../method/statistics/quantile.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Figure } from './figure.ts';
import { performRun } from './perform-run.ts';
import { figuresOfRuns, type Targets, type TimedRun } from './run-figures.ts';
import { startMeasuredServer } from './test-server.ts';

const probeEveryMs = 50;
const pageVisits = 5;

const targets: Targets = {
  seconds: 30,
  halfWidths: { cpu_at_load: 5, latency_p50: 3, throughput: 5 },
};
const usualRuns = 3;

/**
 * First answers with three launches and with as many as they need: how long they take and how narrow their intervals are. Beside them the
 * API's answers while the first one measures, and its finished page in a browser.
 */
export async function measureQuickRuns({
  runs,
  seed,
}: Pick<BenchOptions, 'runs' | 'seed'>): Promise<Figure[]> {
  const server = await startMeasuredServer();
  try {
    const probe = probeApi(server.url);
    const perform = async (request: RunRequestInput, onBlock?: () => void): Promise<TimedRun> => {
      const startedAt = performance.now();
      const document = await performRun(
        server.url,
        { length: 'first', ...request },
        { onEvent: ({ type }) => (type === 'block' ? onBlock?.() : undefined) },
      );
      return { document, seconds: (performance.now() - startedAt) / 1000 };
    };
    const fitting: TimedRun[] = [];
    const ofThree: TimedRun[] = [];
    let ms: number[] | null = null;
    for (let index = 0; index < (runs ?? usualRuns); index++) {
      fitting.push(await perform({ seed: seed + index }, ms === null ? probe.start : undefined));
      ms ??= await probe.stop();
      ofThree.push(await perform({ launches: 3, seed: seed + index }));
    }
    const answers = ms ?? [];
    return [
      ...figuresOfRuns('quick', 'first', fitting, targets),
      ...figuresOfRuns('quick', 'first, 3 launches', ofThree, targets),
      {
        bench: 'quick',
        figure: `API while measuring, 99th percentile of ${answers.length}`,
        value: quantile(answers, 0.99),
        unit: 'ms',
        range: [Math.min(...answers), Math.max(...answers)],
        atMost: 50,
      },
      ...(await measurePage(`${server.url}/r/${fitting[0]?.document.id}`)),
    ];
  } finally {
    await server.stop();
  }
}

/** Asks for the list of runs over and over, from the first block on. */
function probeApi(url: string) {
  const ms: number[] = [];
  let asking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  const ask = async () => {
    const startedAt = performance.now();
    await (await fetch(`${url}/api/v1/measurements?limit=25`)).text();
    ms.push(performance.now() - startedAt);
  };
  return {
    start() {
      timer ??= setInterval(() => {
        asking = asking.then(ask);
      }, probeEveryMs);
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await asking;
      return ms;
    },
  };
}

/** From opening the link to the verdict or refusal standing in the page, in a fresh context each time. */
async function measurePage(url: string): Promise<Figure[]> {
  const executablePath = findChromium(process.env);
  if (executablePath === null) {
    process.stderr.write('No Chromium was found, so the page is not measured.\n');
    return [];
  }
  const { hostname, port } = new URL(url);
  const listeners = [{ hostname, address: hostname, port: Number(port) }];
  const browser = await launchChromium({ executablePath, listeners, trustedSpki: null, timeoutMs: 20_000 });
  const seconds: number[] = [];
  try {
    for (let i = 0; i < pageVisits; i++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const startedAt = performance.now();
      await page.goto(url, { waitUntil: 'commit' });
      await page.getByTestId('delta-table').waitFor();
      seconds.push((performance.now() - startedAt) / 1000);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  const range: [number, number] = [Math.min(...seconds), Math.max(...seconds)];
  return [
    {
      bench: 'quick',
      figure: 'finished page stands after',
      value: median(seconds),
      unit: 's',
      range,
      atMost: 1.5,
    },
  ];
}
