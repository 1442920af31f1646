/** Protects a comparison over a link: every request takes its round trip, and the target's CPU is read as without it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunDocument, runDocumentSchema } from '../../../../shared/kinds/comparison/run.ts';
import { childRunning } from '../../../testing/child-in-test.ts';
import { briefly, endPrograms, startProgram } from '../../../testing/program-in-test.ts';
import { untilAsync } from '../../../testing/until-async.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-over-link-'));
const roundTripUs = 10_000;
let document: RunDocument;

beforeAll(async () => {
  const args = ['compare', '--length', 'first', '--starts', '1', '--link', '10ms', '--json'];
  const program = startProgram([...briefly, 'server/edge/cli.ts'], args, { TLS_TOLL_DATA: directory });
  await program.ended;
  document = runDocumentSchema.parse(JSON.parse(program.stdout()));
});
afterAll(() => {
  endPrograms();
  rmSync(directory, { recursive: true, force: true });
});

const loads = () => document.blocks.flatMap(({ slots }) => slots).map(({ load }) => load);

test('the run finishes, and says over which link and what that added', () => {
  expect(document.state).toBe('finished');
  expect(document.command).toContain('--link 10ms');
  expect(document.asked.link).toEqual({ roundTripMs: 10, mbitPerS: null });
  expect(document.link).toMatchObject({ roundTripMs: 10, mbitPerS: null });
  expect(document.link?.added?.pings).toBeGreaterThan(0);
  expect(document.link?.added?.p5).toBeGreaterThan(9.5);
  expect(document.link?.by).toBeDefined();
  expect(document.cache.findings).toEqual([expect.stringContaining('a browser would not take')]);
  const steps = document.scenario.steps.length;
  expect(document.path?.comparison.roundTrips).toBeCloseTo(steps, 0);
});

test('no request of any arm is answered before its round trip', () => {
  const steps = document.scenario.steps.length;
  const timed = loads().filter(({ latencyUs }) => latencyUs.count > 0);
  expect(timed.length).toBeGreaterThanOrEqual(3);
  for (const { latencyUs, phases } of timed) {
    expect(latencyUs.p50).toBeGreaterThan(steps * roundTripUs);
    expect(phases?.ttfbUs?.p50).toBeGreaterThan(roundTripUs);
  }
});

test('every arm’s CPU is that of the target’s own processes', () => {
  const [launch] = document.launches;
  expect(new Set(Object.values(launch?.pids ?? {})).size).toBe(3);
  const busy = document.blocks.flatMap(({ slots }) => slots).filter(({ load }) => load.latencyUs.count > 0);
  for (const { target } of busy) expect(target?.cpuUs).toBeGreaterThan(0);
  const row = document.metrics.find(({ id }) => id === 'cpu_at_load');
  expect(row?.baseline).not.toBeNull();
  expect(row?.comparison).not.toBeNull();
});

test('when what carries its link is killed, the run ends with one sentence, and nothing is left', async () => {
  const args = ['compare', '--starts', '1', '--link', '10ms'];
  const program = startProgram([...briefly, 'server/edge/cli.ts'], args, {
    TLS_TOLL_DATA: directory,
    // It goes on until something ends it.
    BRIEF_PLAN: JSON.stringify({ epochs: { minimum: 100, maximum: 100 } }),
  });
  const carrying = async () =>
    /measuring/.test(program.stderr())
      ? (childRunning('forwarder-process', program.pid) ?? childRunning('relay-process', program.pid))
      : null;
  const pid = await untilAsync(carrying, (each) => each !== null);
  const devices = () => Object.keys(networkInterfaces()).filter((name) => name.startsWith('tlstoll'));
  process.kill(pid ?? 0, 'SIGKILL');
  expect(await program.ended).not.toBe(0);
  expect(program.stderr()).toMatch(/The .* ended \(SIGKILL\)\./);
  expect(devices()).toEqual([]);
});
