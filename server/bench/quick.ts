import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricId } from '../../shared/kinds/comparison/metric.ts';
import type { Length } from '../../shared/kinds/comparison/options.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import { findChromium } from '../drive/browser/find-chromium.ts';
import { launchChromium } from '../drive/browser/launch-chromium.ts';
import { median, quantile } from '../method/statistics/intervals.ts';
import { startMeasuredServer } from '../testing/program-in-test.ts';
import type { LongOptions } from './bench-options.ts';
import { performRun } from './perform-run.ts';
import { printTable } from './print-table.ts';

/** Times that a user waits: for the server, a verdict, the page of a result, and the API during a run. */

/** One figure beside its target. */
type Figure = {
  bench: 'ready' | 'quick';
  figure: string;
  unit: string;
  values: number[];
  median: number;
  /** At most this; null without a target. */
  atMost: number | null;
};

type Write = (figure: string, unit: string, values: number[], atMost?: number | null) => Figure[];

const writeAs =
  (bench: Figure['bench']): Write =>
  (figure, unit, values, atMost = null) =>
    values.length === 0 ? [] : [{ bench, figure, unit, values, median: median(values), atMost }];
const write = writeAs('quick');

const starts = 7;
const usualRuns = 3;
const probeEveryMs = 50;
const pageVisits = 5;

/** Seconds to the verdict, and half-widths in percent, on a quiet machine. */
const targets: Record<'first' | 'quote', { seconds: number } & Partial<Record<MetricId, number>>> = {
  first: { seconds: 30, cpu_at_load: 5, latency_p50: 3, throughput: 5 },
  quote: { seconds: 240, cpu_at_load: 2, latency_p50: 2, throughput: 5 },
};

/** From starting the process to the first answer, on an empty data directory. */
export async function measureReady() {
  const seconds: number[] = [];
  for (let start = 0; start < starts; start++) {
    const elapsedS = startClock();
    const server = await startMeasuredServer();
    await (await fetch(`${server.url}/api/v1/health`)).text();
    seconds.push(elapsedS());
    await server.stop();
  }
  return printed(writeAs('ready')('server answers after', 's', seconds, 2));
}

/**
 * Duration, interval width, and stored bytes of first answers, with three launches and with as many as they need, and of one run of the
 * length `quote`. Also the API's answer times while the first one measures, and its finished page in a browser.
 */
export async function measureQuickRuns({ runs, seed, signal }: LongOptions) {
  const server = await startMeasuredServer();
  try {
    const probe = probeApi(server.url);
    const perform = async (length: Length, index: number, launches?: number): Promise<TimedRun> => {
      const elapsedS = startClock();
      const request = { length, seed: seed + index, ...(launches === undefined ? {} : { launches }) };
      const onEvent = ({ type }: { type: string }) => (type === 'block' ? probe.start() : undefined);
      return { document: await performRun(server.url, request, { onEvent, signal }), seconds: elapsedS() };
    };
    const fitting: TimedRun[] = [];
    const ofThree: TimedRun[] = [];
    for (let index = 0; index < (runs ?? usualRuns); index++) {
      fitting.push(await perform('first', index));
      await probe.stop();
      ofThree.push(await perform('first', index, 3));
    }
    const before = storedMB(server.dataDirectory);
    const quote = await perform('quote', 0);
    return printed([
      ...figuresOf('first', fitting, targets.first),
      ...figuresOf('first, 3 launches', ofThree, targets.first),
      ...figuresOf('quote', [quote], targets.quote),
      ...write('stored by a run of the length quote', 'MB', [storedMB(server.dataDirectory) - before], 2),
      ...write('API while measuring, 99th percentile', 'ms', [quantile(await probe.stop(), 0.99)], 50),
      ...(await measurePage(`${server.url}/r/${fitting[0]?.document.id}`)),
    ]);
  } finally {
    await server.stop();
  }
}

function startClock(): () => number {
  const startedMs = performance.now();
  return () => (performance.now() - startedMs) / 1000;
}

type TimedRun = { document: RunDocument; seconds: number };

function figuresOf(
  name: string,
  runs: readonly TimedRun[],
  { seconds, ...halfWidths }: (typeof targets)['first'],
): Figure[] {
  const answered = runs.filter(
    ({ document }) => document.state === 'finished' && document.verdict?.outcome !== 'refused',
  );
  const widthsOf = (id: string) =>
    runs.flatMap(({ document }) => {
      const { ratio = null } = document.metrics.find((metric) => metric.id === id) ?? {};
      return ratio === null ? [] : [((ratio.hi - ratio.lo) / 2) * 100];
    });
  const took = runs.map((run) => run.seconds);
  const launches = runs.map(({ document }) => document.launches.length);
  return [
    ...write(
      `${name} (${answered.length} of ${runs.length} gave a verdict): to the verdict`,
      's',
      took,
      seconds,
    ),
    ...write(`${name}: launches`, '', launches),
    ...Object.entries(halfWidths).flatMap(([id, atMost]) =>
      write(`${name}: half-width of ${id}`, '%', widthsOf(id), atMost),
    ),
  ];
}

/** Requests the list of runs repeatedly, from the first `start` to the first `stop`. */
function probeApi(url: string) {
  const ms: number[] = [];
  let asking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  const ask = async () => {
    const elapsedS = startClock();
    await (await fetch(`${url}/api/v1/measurements?limit=25`)).text();
    ms.push(1000 * elapsedS());
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
    for (let visit = 0; visit < pageVisits; visit++) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const elapsedS = startClock();
      await page.goto(url, { waitUntil: 'commit' });
      await page.getByTestId('delta-table').waitFor();
      seconds.push(elapsedS());
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return write('finished page stands after', 's', seconds, 1.5);
}

/** Size of the runs' database, without the demo shop's own files. */
function storedMB(directory: string): number {
  return readdirSync(directory)
    .filter((name) => /^(tls-toll|runs)\.sqlite/.test(name))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size / 1e6, 0);
}

function printed(figures: Figure[]) {
  const round = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const lines = figures.map(({ figure, unit, values, median, atMost }) => [
    ...[figure, `${round(median)} ${unit}`],
    values.length === 1 ? '' : `${round(Math.min(...values))} to ${round(Math.max(...values))}`,
    ...(atMost === null ? ['', ''] : [`≤ ${round(atMost)} ${unit}`, median <= atMost ? 'reached' : 'missed']),
  ]);
  return { rows: figures, text: printTable(['figure', 'median', 'range', 'target', ''], lines) };
}
