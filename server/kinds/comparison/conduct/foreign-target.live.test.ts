/** Protects runs of a target that is not ours: found by its ports, refused or failed with the reason. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { RunRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { type OriginsTarget, originsTargetSchema } from '../../../../shared/target/target.ts';
import { isEnd, openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';
import { shortenRuns } from '../../../testing/shorten-runs.ts';

let server: ServerInTest;
let restore: () => void;
beforeAll(async () => {
  // They go on until something ends them.
  restore = shortenRuns({ epochs: { minimum: 50, maximum: 50 } });
  server = await openServerInTest();
});
afterAll(async () => {
  await server.close();
  restore();
});

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function startTarget(): Promise<{ child: ChildProcess; target: OriginsTarget }> {
  const child = fork(new URL('../../../testing/foreign-target-process.ts', import.meta.url), [
    join(server.directory, 'foreign-authority'),
  ]);
  children.push(child);
  const [message] = await once(child, 'message');
  return { child, target: originsTargetSchema.parse({ kind: 'origins', ...message }) };
}

const scenario = { name: 'Visit', steps: [{ name: 'Page', method: 'GET', path: '/' } as const] };

function createRun(target: OriginsTarget): ReturnType<ServerInTest['create']> {
  return server.create({ target, scenario } satisfies RunRequestInput);
}

test('a foreign target’s processes are found by their ports; when https turns to 500 the run fails by itself', async () => {
  const { child, target } = await startTarget();
  const { id } = await createRun(target);
  const event = await server.until(id, (each) => each.type === 'block' && each.kind === 'lockstep');
  expect(event).toMatchObject({ ratios: { cpu_lone: expect.any(Number) } });
  child.send('fail');
  expect(await server.until(id, isEnd)).toEqual({ type: 'end', state: 'failed' });

  const document = await server.document(id);
  expect(document.target).toMatchObject({ kind: 'origins', http: target.http });
  expect(document.preflight?.sides).toMatchObject({
    baseline: { pid: child.pid },
    comparison: { pid: child.pid },
  });
  for (const { target: used, load } of document.blocks.flatMap(({ slots }) => slots)) {
    expect(used).toMatchObject({ source: 'proc', cpuWitnessUs: null });
    expect(load.executionTimeUs).toBeNull();
  }
  expect(document.launches).toMatchObject([{ index: 0, pids: { comparison: child.pid } }]);
  expect(document).toMatchObject({
    verdict: null,
    problem: {
      code: 'target_errors',
      detail: expect.stringMatching(/HTTPS, Page: answered 500 instead of 200 \(\d+ times\)/),
    },
    errors: [
      {
        side: 'comparison',
        name: 'HTTPS',
        step: 'Page',
        outcome: 'unexpected_status',
        count: expect.any(Number),
      },
    ],
  });
  expect(document.metrics.every(({ outcome }) => outcome === 'refused')).toBe(true);
  expect(document.blocks.at(-1)?.reasons.map(({ code }) => code)).toContain('errors');
});

test('a target whose https side answers 500 is refused at its field, and no run is made of it', async () => {
  const { child, target } = await startTarget();
  child.send('fail');
  const message = expect.stringContaining('answered 500 instead of 200');
  await expect(createRun(target)).rejects.toMatchObject({
    problem: { code: 'not_comparable', detail: message, errors: [{ field: 'target.https', message }] },
  });
});

test('a target that turns bad while its run waits is refused when the run begins', async () => {
  const { child, target } = await startTarget();
  const ahead = await createRun(target);
  const waiting = await createRun(target);
  child.send('fail');
  await server.cancel(ahead.id, false);
  expect(await server.until(waiting.id, isEnd)).toEqual({ type: 'end', state: 'refused' });
  expect(await server.document(waiting.id)).toMatchObject({
    state: 'refused',
    verdict: null,
    blocks: [],
    problem: { code: 'not_comparable', detail: expect.stringContaining('500') },
    preflight: { ok: false },
  });
});

test('a scenario that the site does not serve is told apart from sides that differ', async () => {
  const { target } = await startTarget();
  const steps = [{ name: 'Page', method: 'GET' as const, path: '/missing' }];
  const message = 'The scenario does not fit this site: GET /missing answers 404 on both sides.';
  await expect(server.create({ target, scenario: { ...scenario, steps } })).rejects.toMatchObject({
    problem: { code: 'scenario_unfit', detail: message, errors: [{ field: 'scenario', message }] },
  });
});

test('a target that dies during warm-up or measuring fails the run', async () => {
  const other = await openServerInTest();
  const dieIn = async (phase: 'warm-up' | 'measuring', on: ServerInTest) => {
    const { child, target } = await startTarget();
    const { id } = await on.create({ target, scenario });
    await on.until(id, (event) => event.type === 'progress' && event.phase === phase);
    await end(child);
    expect(await on.until(id, isEnd)).toEqual({ type: 'end', state: 'failed' });
    expect(await on.document(id)).toMatchObject({
      state: 'failed',
      verdict: null,
      problem: { code: 'target_died' },
    });
  };
  // At the same time, because each waits 15 s for a supervisor that restarts it.
  await Promise.all([dieIn('warm-up', server), dieIn('measuring', other)]);
  await other.close();
});

test('a target that does not listen is refused at both of its fields, and no run is made of it', async () => {
  const { child, target } = await startTarget();
  await end(child);
  await expect(createRun(target)).rejects.toMatchObject({
    problem: {
      code: 'target_unreachable',
      errors: (['http', 'https'] as const).map((scheme) => ({
        field: `target.${scheme}`,
        message: expect.stringContaining(`Nothing is listening on ${new URL(String(target[scheme])).host}`),
      })),
    },
  });
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['0x0a000001', '10.0.0.1'],
  ['169.254.169.254', '169.254.169.254'],
  ['192.0.2.7', '192.0.2.7'],
  ['[::ffff:10.1.2.3]', '::ffff:a01:203'],
])('a target at %s is refused by its address, and no run is made of it', async (host, address) => {
  const target = { http: `http://${host}:8080`, https: 'https://127.0.0.1:8443' };
  await expect(server.create({ target })).rejects.toMatchObject({
    problem: { code: 'target_not_permitted', status: 403, detail: expect.stringContaining(address) },
  });
});
