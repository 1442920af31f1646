/** Protects runs that read CPU from a Prometheus exporter: it is in the table, or refused by name where its steps are too coarse. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OriginsTarget, originsTargetSchema } from '../../../../shared/target/target.ts';
import { measureBriefly } from '../../../testing/measure-briefly.ts';
import { analyse } from '../analysis.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-exporter-'));
let child: ChildProcess;
let found: Pick<OriginsTarget, 'http' | 'https' | 'ca'>;
beforeAll(async () => {
  child = fork(new URL('../../../testing/foreign-target-process.ts', import.meta.url), [directory]);
  [found] = await once(child, 'message');
  // A turn then uses more than a reading, however few transactions a slow machine fits into it, and https more than http.
  child.send('work');
});
afterAll(async () => {
  child.kill('SIGKILL');
  await once(child, 'exit');
  rmSync(directory, { recursive: true, force: true });
});

async function measure(path: string) {
  const url = `${found.http}${path}`;
  const target = originsTargetSchema.parse({ kind: 'origins', ...found, prometheus: { url } });
  const measured = await measureBriefly(target, {
    directory,
    plan: {
      users: 1,
      lockstepMs: 1500,
    },
  });
  const { plan, readings } = measured.facts;
  const { metrics } = analyse(measured.blocks, { finished: true, ownTwin: false, plan, readings });
  const cpu = metrics.find(({ id }) => id === 'cpu_at_load');
  const lockstep = measured.blocks.find(({ kind }) => kind === 'lockstep');
  return { ...measured, url, cpu, lockstep };
}

test('a target that exports microseconds has its CPU in the table', async () => {
  const { facts, url, cpu, lockstep } = await measure('/metrics');
  expect(facts.preflight?.sides.baseline.checks.find(({ id }) => id === 'process')?.message).toBe(
    `CPU and memory are read at ${url}.`,
  );
  expect(facts.readings).toMatchObject({ by: 'prometheus', at: url, sameMachine: true, stepUs: 1 });
  if (facts.readings?.refused !== undefined) {
    // The machine is so busy that the longest turn has no more than a few transactions.
    expect(facts.readings.refused).toMatch(/^Not measured: each reading of the exporter costs the target/);
    expect(cpu?.outcome).toBe('refused');
    return;
  }
  expect(lockstep?.ratios.cpu_lone?.value).toBeGreaterThan(1);
  for (const { target } of lockstep?.slots ?? []) {
    expect(target?.cpuUs).toBeGreaterThan(0);
    expect(target?.rssPeakBytes).toBeGreaterThan(10_000_000);
  }
});

test('whole seconds are refused by name, and the rest of the run stays', async () => {
  const { facts, cpu, lockstep, blocks } = await measure('/seconds');
  const problem = /^Not measured: the exporter’s CPU counter (moves in steps of 1\.0 s|did not move)/;
  expect(blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
  expect(facts.readings?.refused).toMatch(problem);
  expect(cpu).toMatchObject({ outcome: 'refused', reasons: [expect.stringMatching(problem)] });
  expect(lockstep?.ratios.cpu_lone).toBeUndefined();
  expect(lockstep?.ratios.latency_p50?.value).toBeGreaterThan(0);
});
