/** Protects a run from end to end: from the command line, and as a server on the same data shows it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricIds, metricOf } from '../../../../shared/metric.ts';
import type { RunEvent } from '../../../../shared/progress.ts';
import { type RunDocument, runDocumentSchema } from '../../../../shared/run.ts';
import { endPrograms, startProgram } from '../../../testing/program-in-test.ts';
import { openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-quick-'));
let command: { code: unknown; stdout: string; stderr: string };
let server: ServerInTest;
let id: string;
const events: RunEvent[] = [];
let document: RunDocument;

beforeAll(async () => {
  const args = ['compare', '--preset', 'quick', '--seed', '7', '--json'];
  const program = startProgram('server/cli.ts', args, { TLS_TOLL_DATA: directory });
  const code = await program.ended;
  command = { code, stdout: program.stdout(), stderr: program.stderr() };
  document = runDocumentSchema.parse(JSON.parse(command.stdout));
  id = document.id;
  server = await openServerInTest(directory);
  for await (const event of server.api.events(id)) events.push(event as RunEvent);
});
afterAll(async () => {
  endPrograms();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const of = <T extends RunEvent['type']>(type: T) =>
  events.flatMap((event) => (event.type === type ? [event as Extract<RunEvent, { type: T }>] : []));
const slots = () => document.blocks.flatMap((block) => block.slots);

test('the events go through every phase to the end, and the bar never goes back', () => {
  expect(of('state').map(({ state }) => state)).toEqual(['queued', 'running']);
  expect([...new Set(of('progress').map(({ phase }) => phase))]).toEqual([
    'preflight',
    'capacity',
    'warm-up',
    'measuring',
    'analysing',
  ]);
  const fractions = of('progress').map(({ fraction }) => fraction);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  expect(of('block').map(({ index }) => index)).toEqual(document.blocks.map(({ index }) => index));
  expect(events.at(-1)).toEqual({ type: 'end', state: document.state });
});

test('the command printed the document of the permalink and nothing else, and its progress on stderr', async () => {
  const { code, stdout, stderr } = command;
  expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  expect(await server.api.readDocument(`/r/${id}`)).toBe(stdout.trimEnd());
  expect(document.plan).toMatchObject({ preset: 'quick', seed: 7 });
  expect(document.command).toMatch(/^npx tls-toll compare .*--seed 7/);
  expect(stderr).toMatch(/^preflight.*\n(.*\n)*measuring: 14 of 14 blocks/m);
  expect(code).toBe(document.state === 'finished' ? 0 : 2);
});

test('the document has the run’s fourteen blocks of six slots, seven at each point', () => {
  expect(document.blocks).toHaveLength(14);
  expect(document.blocks.filter(({ kind }) => kind === 'steady')).toHaveLength(7);
  for (const { order, slots } of document.blocks) {
    expect(order).toBe([...order].toReversed().join(''));
    expect(slots.map(({ arm }) => ({ baseline: 'A', comparison: 'B', twin: 'N' })[arm]).join('')).toBe(order);
    expect(slots.every(({ arm, transport }) => transport === (arm === 'comparison' ? 'https' : 'http'))).toBe(
      true,
    );
  }
  expect(document.plan.ratePerS).toBeGreaterThan(0);
  expect(document.errors).toEqual([]);
});

test('a machine that was left alone gives a verdict; one that was disturbed, the reason for none', () => {
  if (document.state === 'finished') {
    expect(document.verdict?.sentence).not.toBe('');
    expect(document.problem).toBeNull();
  } else {
    expect(document).toMatchObject({ state: 'refused', verdict: null });
    expect(['too_disturbed', 'listeners_differ']).toContain(document.problem?.code);
  }
});

test('every metric was measured in every slot of its point, and has figures on both sides', () => {
  for (const id of metricIds) {
    const { point } = metricOf(id);
    for (const slot of slots()) {
      if (point === 'any' || slot.point === point) expect(slot.values[id], id).toBeTypeOf('number');
    }
  }
  const kept = document.blocks.filter(({ reasons }) => reasons.length === 0);
  for (const { id, baseline, comparison } of document.metrics) {
    const { point } = metricOf(id);
    if (!kept.some(({ kind }) => point === 'any' || point === kind)) continue;
    expect(baseline, id).not.toBeNull();
    expect(comparison, id).not.toBeNull();
  }
});

test('CPU per transaction has an interval that lies about its centre', () => {
  const cpu = document.metrics.find(({ id }) => id === 'cpu_per_transaction');
  const kept = document.blocks.filter(({ kind, reasons }) => kind === 'steady' && reasons.length === 0);
  expect(cpu?.pairs.map(({ block }) => block)).toEqual(kept.map(({ index }) => index));
  if (kept.length < 6) return expect(cpu).toMatchObject({ outcome: 'refused', ratio: null });
  const { center = 0, lo = 0, hi = 0 } = cpu?.ratio ?? {};
  expect(lo).toBeGreaterThan(0);
  expect(center).toBeGreaterThanOrEqual(lo);
  expect(hi).toBeGreaterThanOrEqual(center);
});

test('the application’s own time came with each answer, and is less than the whole', () => {
  for (const { point, load } of slots()) {
    expect(load.executionTimeUs).toBeGreaterThan(0);
    if (point === 'steady') expect(load.executionTimeUs).toBeLessThan(load.latencyUs.max);
  }
});

test('the connections of both sides are those that were asked for, and both ends counted the same handshakes', () => {
  expect(document.tls).toMatchObject({
    protocol: 'TLSv1.3',
    handshakes: { full: 8, resumed: 0 },
    connections: { baseline: 8, comparison: 8 },
  });
  expect(document.tls.cipher).toMatch(/^TLS_/);
  expect(document.tls.key).toMatch(/^EC /);
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
  expect(header?.split(',').slice(0, 3)).toEqual(['run_id', 'block', 'kind']);
  expect(rows).toHaveLength(14 * 6);
});

test('the cache section says what a browser did, or why there was none', () => {
  const { baseline, comparison, findings } = document.cache;
  expect(findings).not.toEqual([]);
  expect(baseline === null).toBe(comparison === null);
});

test('the list of runs tells the same as the document', async () => {
  const { runs } = (await (await fetch(`${server.url}/api/v1/runs`)).json()) as { runs: unknown[] };
  const { state, verdict, problem } = document;
  expect(runs).toEqual([expect.objectContaining({ id, state, verdict, problem, queuePosition: null })]);
});

test('a run that is over cannot be cancelled', async () => {
  await expect(server.api.cancel(id, true)).rejects.toMatchObject({ problem: { code: 'run_over' } });
});
