/** Protects a run from end to end: from the command line, and as a server on the same data shows it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import type { RunEvent } from '../../../../shared/kinds/comparison/block.ts';
import { type Metric, metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import { type RunDocument, runDocumentSchema } from '../../../../shared/kinds/comparison/run.ts';
import { headlineInOneLine } from '../../../../shared/measurement/measurement.ts';
import { headlineOfRun } from '../../../../shared/words/headline.ts';
import { chromiumInTest } from '../../../testing/chromium-in-test.ts';
import { endPrograms, startProgram } from '../../../testing/program-in-test.ts';
import { openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';
import { shortenRuns } from '../../../testing/shorten-runs.ts';
import { untilAsync } from '../../../testing/until-async.ts';
import { realApparatus } from '../../apparatus.ts';
import { isSpoiled } from '../compared-metric.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-quick-'));
let command: { code: unknown; stdout: string; stderr: string };
let server: ServerInTest;
let id: string;
const events: RunEvent[] = [];
let restore: () => void;
let document: RunDocument;

beforeAll(async () => {
  const args = [
    ...['compare', '--length', 'first', '--seed', '7', '--starts', '3', '--json'],
    // Records make each answer longer, by as much on every machine.
    ...['--fail-if', 'wire_bytes_per_transaction > 0.1%', '--fail-if', 'wire_bytes_per_transaction > 500%'],
    ...['--junit', join(directory, 'junit.xml')],
  ];
  // It has the parts of a first answer in less time, and searches for its load and for programs.
  const times = { lockstepMs: 400, maximumMs: 1000, sampleMs: 250 };
  restore = shortenRuns({ users: null, epochs: { minimum: 2, maximum: 2 }, ...times });
  server = await openServerInTest(directory, { chromiumPath: chromiumInTest, apparatus: realApparatus });
  const program = startProgram('server/edge/cli.ts', args, { TLS_TOLL_DATA: directory });
  id = await untilAsync(listIds, ([first]) => first !== undefined).then(([first]) => first ?? '');
  for await (const event of server.api.events(id)) events.push(event as RunEvent);
  const code = await program.ended;
  command = { code, stdout: program.stdout(), stderr: program.stderr() };
  document = runDocumentSchema.parse(JSON.parse(command.stdout));
});
afterAll(async () => {
  endPrograms();
  restore();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

async function listIds(): Promise<string[]> {
  const { measurements } = await server.api.call(measurementEndpoints.listMeasurements, { query: {} });
  return measurements.map((each) => each.id);
}

const of = <T extends RunEvent['type']>(type: T) =>
  events.flatMap((event) => (event.type === type ? [event as Extract<RunEvent, { type: T }>] : []));
const slots = () => document.blocks.flatMap((block) => block.slots);

test('the events go through every phase to the end, the bar never goes back, and the time left only falls', () => {
  expect(of('state').map(({ state }) => state)).toEqual(['queued', 'running']);
  const told = of('progress').filter(({ phase }) => phase !== 'browser');
  expect([...new Set(told.map(({ phase }) => phase))]).toEqual([
    ...['starting', 'preflight', 'warm-up', 'finding the load', 'measuring', 'analyzing'],
  ]);
  for (const [index, { secondsLeft, longerS = 0 }] of told.entries()) {
    const before = told[index - 1];
    if (longerS > (before?.longerS ?? 0)) continue;
    expect(secondsLeft).toBeLessThanOrEqual(before?.secondsLeft ?? Number.POSITIVE_INFINITY);
  }
  const fractions = of('progress').map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(of('block').map(({ index }) => index)).toEqual(document.blocks.map(({ index }) => index));
  expect(events.at(-1)).toEqual({ type: 'end', state: document.state });
  expect(of('measured')).toEqual([
    { type: 'measured', state: document.state, headline: headlineOfRun(document) },
  ]);
});

test('whoever asks again hears what is stored, without progress', async () => {
  const again: RunEvent[] = [];
  for await (const event of server.api.events(id)) again.push(event as RunEvent);
  expect(again).toEqual(events.filter(({ type }) => type !== 'progress'));
});

test('the command printed the document of the permalink and nothing else, and its progress on stderr', async () => {
  const { stdout, stderr } = command;
  expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  expect(await server.api.readDocument(`/r/${id}`)).toBe(stdout.trimEnd());
  expect(document.plan).toMatchObject({ length: 'first', seed: 7 });
  expect(document.command).toMatch(/^npx tls-toll compare .*--seed 7/);
  expect(stderr).toMatch(/^preflight.*\n(.*\n)*measuring/m);
  // The verdict is there before the browser.
  const headline = headlineOfRun(document);
  expect(stderr.split('\n')).toContain(headline === null ? 'a headline' : headlineInOneLine(headline));
});

test('the document has every launch, measured at load and in lockstep, by processes of its own', () => {
  const { launches, blocks, plan } = document;
  expect(launches).toHaveLength(3);
  const ofLaunch = (index: number) => blocks.filter(({ launch }) => launch === index).map(({ kind }) => kind);
  for (const { index } of launches) {
    expect(ofLaunch(index)).toEqual(['maximum', 'lockstep', 'maximum', 'lockstep']);
  }
  const pids = launches.flatMap((launch) => Object.values(launch.pids));
  expect(new Set(pids).size).toBe(3 * launches.length);
  expect(launches.every(({ warmUp }) => warmUp.requests > 0)).toBe(true);
  for (const { slots, windows } of blocks) {
    expect(slots.map(({ arm, transport }) => `${arm} ${transport}`)).toEqual([
      'baseline http',
      'comparison https',
      'twin http',
    ]);
    expect(windows).not.toEqual([]);
    const transactions = windows.map((window) => Object.values(window.arms).map((arm) => arm.transactions));
    expect(transactions.flat().every((count) => count > 0)).toBe(true);
  }
  expect(plan).toMatchObject({ length: 'first', openMs: null });
  expect(document.errors).toEqual([]);
});

test('in lockstep every arm has as many transactions', () => {
  for (const { kind, slots } of document.blocks) {
    if (kind === 'lockstep') expect(new Set(slots.map(({ load }) => load.succeeded)).size).toBe(1);
  }
});

test('it comes to a verdict, however busy this machine is', () => {
  expect(document).toMatchObject({ state: 'finished', problem: null });
  expect(headlineOfRun(document)?.title).toMatch(/^(HTTPS costs|Probably|No verdict)/);
});

test('every metric that a quick run measures has figures on both sides, a ratio and every launch that counts', () => {
  for (const row of document.metrics) {
    const metric = metricOf(row.id);
    const { points, scale, aggregate } = metric;
    if (!points.includes('lockstep') && !points.includes('maximum')) {
      expect(row, row.id).toMatchObject({ outcome: 'refused', baseline: null });
      continue;
    }
    // On a starved machine the generator may be the limit: both sides then get one rate, which is not a throughput.
    if (metric.group === 'throughput' && typeof document.atLoad?.ratePerS === 'number') {
      expect(row.outcome, row.id).toBe('refused');
      continue;
    }
    expect(row.baseline, row.id).not.toBeNull();
    expect(row.comparison, row.id).not.toBeNull();
    if (row.outcome !== 'refused' && scale === 'ratio' && aggregate === 'mean') {
      expect(
        row.launches.map(({ launch }) => launch),
        row.id,
      ).toEqual(launchesThatCount(metric));
    }
  }
});

/** A busy machine may spoil a metric's block, and a launch with it; in the bursts of another, nothing may end. */
function launchesThatCount(metric: Metric): number[] {
  const counting = document.blocks.filter(
    (block) =>
      metric.points.includes(block.kind) &&
      !isSpoiled(metric, block) &&
      block.slots.every(({ values }) => (values[metric.id] ?? 0) > 0),
  );
  return [...new Set(counting.map(({ launch }) => launch))];
}

test('CPU per transaction has an interval about its center', () => {
  const { center = 0, lo = 0, hi = 0 } = document.metrics.find(({ id }) => id === 'cpu_at_load')?.ratio ?? {};
  expect(lo).toBeGreaterThan(0);
  expect(center).toBeGreaterThanOrEqual(lo);
  expect(hi).toBeGreaterThanOrEqual(center);
});

test('the application’s own time came with each answer', () => {
  for (const { load } of slots()) expect(load.executionTimeUs).toBeGreaterThan(0);
});

test('the connections of both sides are those that were asked for, and both ends counted the same handshakes', () => {
  const { baseline, comparison } = document.tls;
  expect(comparison.negotiated?.protocol).toBe('TLSv1.3');
  expect(comparison.handshakes).toEqual({ full: comparison.connections, resumed: 0 });
  expect(baseline).toMatchObject({ negotiated: null, connections: comparison.connections });
  // A busy machine may try twice the users before it takes those that were asked for.
  expect(baseline.connections).toBeGreaterThanOrEqual(8 * document.launches.length);
  expect(comparison.negotiated?.cipher).toMatch(/^TLS_/);
  expect(comparison.negotiated?.key).toMatch(/^EC /);
  const disagreeing = document.blocks.flatMap(({ reasons }) =>
    reasons.filter(({ code }) => code === 'handshakes_disagree'),
  );
  expect(disagreeing).toEqual([]);
});

test('the target’s own count of its CPU is beside the kernel’s in every slot', () => {
  for (const { target } of slots()) {
    expect(target).toMatchObject({ source: 'proc', processes: 1 });
    expect(target?.cpuUs).toBeGreaterThan(0);
    expect(target?.cpuWitnessUs).toBeGreaterThan(0);
  }
});

test('the CSV has one row a slot', async () => {
  const text = await (await fetch(`${server.url}/r/${id}.csv`)).text();
  const [header, ...rows] = text.trimEnd().split('\r\n');
  expect(header?.split(',').slice(0, 3)).toEqual(['run_id', 'block', 'launch']);
  expect(rows).toHaveLength(slots().length);
});

test('the cache section says what a browser did, or why there was none', () => {
  const { baseline, comparison, findings } = document.cache;
  expect(findings).not.toEqual([]);
  expect(baseline === null).toBe(comparison === null);
});

test('the list of runs tells the same as the document', async () => {
  const list = await fetch(`${server.url}/api/v1/measurements`);
  const { measurements } = (await list.json()) as { measurements: unknown[] };
  const { state, verdict, problem } = document;
  expect(measurements).toEqual([
    expect.objectContaining({ id, state, verdict, problem, queuePosition: null }),
  ]);
});

test('a run that is over cannot be canceled', async () => {
  await expect(server.cancel(id, true)).rejects.toMatchObject({ problem: { code: 'run_over' } });
});

test('a condition that is certain fails the build, one that is not passes, and both are in the report', () => {
  expect(document.state).toBe('finished');
  expect(command.code).toBe(3);
  expect(command.stderr).toMatch(/> 0\.1%: Bytes on the wire.+\. Failed\.\n.+> 500%: .+\. Passed\.\n/);
  const report = readFileSync(join(directory, 'junit.xml'), 'utf8');
  expect(report).toContain('tests="2" failures="1" errors="0"');
});
