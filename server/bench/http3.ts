import { join } from 'node:path';
import { z } from 'zod';
import { printNumber } from '../../shared/base/quantity.ts';
import { estimateSchema } from '../../shared/base/units.ts';
import { isPrimary } from '../../shared/kinds/visits/visit-judgement.ts';
import { type VisitsDocument, visitsDocumentSchema } from '../../shared/kinds/visits/visits.ts';
import { connectTo } from '../edge/commands/api-client.ts';
import {
  announceTime,
  type LongOptions,
  openBenchDirectory,
  openDashboard,
  openLedger,
} from './bench-options.ts';
import { performMeasurement } from './perform-run.ts';
import { printCount, printTable } from './print-table.ts';
import { binomialInterval } from './spread.ts';

/** Visits over HTTP/3 against themselves and against HTTP/2: how often nothing is found, how far runs differ, and pages of three sizes. */

type Part = 'null' | 'spread' | 'pages';
type Visited = { part: Part; key: string; request: Record<string, unknown> };

const sides = { kind: 'visits', target: 'caddy', baseline: 'h2', comparison: 'h3' } as const;
const usualNulls = 20;
const spreadRuns = 5;
const pages = [1, 20, 100];
/** A path on which round trips weigh more than the machine. */
const distant = ['100ms'];

const observedSchema = z.strictObject({
  /** Load of a first visit, µs. */
  baseline: estimateSchema.nullable(),
  comparison: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  /** Times that decide the verdict and show a difference. */
  differing: z.array(z.string()),
  discarded: z.number(),
});
type Observed = z.infer<typeof observedSchema>;

/** `runs` replaces the number of nulls, and of the runs whose spread is told if it is smaller. `only` is one of the parts. */
export async function visitOverHttp3({ runs, seed, signal, resume, only }: LongOptions) {
  const directory = openBenchDirectory('http3', resume);
  const ledger = openLedger(join(directory, 'results.jsonl'), observedSchema);
  const planned = planVisits(runs ?? usualNulls).filter(({ part }) => only === null || part === only);
  if (planned.length === 0) throw new Error(`There is no part ${only}. There are null, spread, and pages.`);
  const left = planned.filter(({ key }) => ledger.get(key) === undefined);
  announceTime(`${left.length} of ${planned.length} runs are left`, 75 * left.length);
  const server = await openDashboard(directory);
  try {
    for (const [index, { key, request }] of left.entries()) {
      signal.throwIfAborted();
      const asked = { ...sides, blocks: 6, ...request, seed: seed + index };
      const { url } = await performMeasurement(server.url, asked, { signal });
      const text = await connectTo({ url: server.url, key: null }).readDocument(url);
      const document = visitsDocumentSchema.parse(JSON.parse(text));
      if (document.state !== 'finished')
        throw new Error(`${key}: ${document.problem?.detail ?? document.state}`);
      ledger.keep(key, observe(document));
    }
  } finally {
    await server.close();
  }
  const rows = planned.flatMap(({ part, key }) => {
    const observed = ledger.get(key);
    return observed === undefined ? [] : [{ bench: 'http3', part, key, ...observed }];
  });
  return { rows, text: printVisits(rows) };
}

function planVisits(nulls: number): Visited[] {
  const times = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  return [
    ...times(nulls).map((run) => ({
      part: 'null' as const,
      key: `null ${run}`,
      request: { baseline: 'h3' },
    })),
    ...times(Math.min(nulls, spreadRuns)).map((run) => ({
      ...{ part: 'spread' as const, key: `spread ${run}` },
      request: { links: distant },
    })),
    ...pages.map((objects) => ({
      ...{ part: 'pages' as const, key: `${objects} objects` },
      request: { objects, links: distant },
    })),
  ];
}

function observe({ rows, blocks }: VisitsDocument): Observed {
  const load = rows.find(({ pass, time }) => pass === 'cold' && time === 'loadUs');
  return {
    baseline: load?.baseline ?? null,
    comparison: load?.comparison ?? null,
    ratio: load?.ratio ?? null,
    differing: rows
      .filter((row) => isPrimary(row) && row.outcome === 'overhead')
      .map(({ pass, time }) => `${pass} ${time}`),
    discarded: blocks.filter(({ dropped }) => dropped !== null).length,
  };
}

type Row = Observed & { part: Part; key: string };

function printVisits(rows: readonly Row[]): string {
  const nulls = rows.filter(({ part }) => part === 'null');
  const silent = nulls.filter(({ differing }) => differing.length === 0).length;
  const spread = rows.filter(({ part }) => part === 'spread');
  const spreadOf = (side: 'baseline' | 'comparison') => {
    const loads = spread.flatMap((row) => row[side]?.center ?? []);
    if (loads.length < 2) return 'not known';
    return `${printNumber(100 * (Math.max(...loads) / Math.min(...loads) - 1), 1)} %`;
  };
  const ms = (us: number | undefined) => (us === undefined ? '–' : printNumber(us / 1000, 1));
  const share = (value: number | undefined) =>
    value === undefined ? '–' : printNumber(100 * (value - 1), 1);
  const table = printTable(
    ['Run', 'First, ms', 'Second, ms', 'Change, %', 'From', 'To', 'Discarded'],
    rows.map(({ key, baseline, comparison, ratio, discarded }) => [
      ...[key, ms(baseline?.center), ms(comparison?.center)],
      ...[share(ratio?.center), share(ratio?.lo), share(ratio?.hi), String(discarded)],
    ]),
  );
  return [
    'Load of a first visit: HTTP/3 against itself (null), then HTTP/3 against HTTP/2 at 100 ms.',
    `Nulls that found nothing: ${printCount(silent, nulls.length, binomialInterval(silent, nulls.length))}`,
    `Spread of ${spread.length} runs: ${spreadOf('baseline')} over HTTP/2, ${spreadOf('comparison')} over HTTP/3`,
    table,
  ].join('\n');
}
