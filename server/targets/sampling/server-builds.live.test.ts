/** Protects CPU of servers of every build: threads and processes that end with their connection count as all others do. */
import { afterEach, describe, expect, test } from 'vitest';
import { TreeCpu } from '../../base/process/cpu.ts';
import { readProc } from '../../base/process/proc.ts';
import {
  type BuiltServer,
  hasBuild,
  leastUs,
  type ServerBuildName,
  startBuild,
} from '../../testing/server-builds.ts';
import { openSampler, type ResourceReading } from './process-sampler.ts';

const requests = 150;

let server: BuiltServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

async function start(name: ServerBuildName): Promise<BuiltServer> {
  server = await startBuild(name);
  await server.ask(5);
  return server;
}

/** User and system time are each cut to ticks of 10 ms, at both readings, in each process. */
function expectSameByTicks(before: ResourceReading, after: ResourceReading): void {
  const cpuUs = after.cpuUs - before.cpuUs;
  const tickUs = (after.cpuTickUs ?? 0) - (before.cpuTickUs ?? 0);
  expect(Math.abs(cpuUs - tickUs)).toBeLessThan(20_000 * after.processes + 0.01 * cpuUs);
}

const builds = ['event loop', 'pre-fork', 'thread per connection', 'thread pool', 'JVM'] as const;

describe.each(builds.map((name) => ({ name })))('$name', ({ name }) => {
  test.skipIf(!hasBuild(name))(
    'the clock agrees with the kernel’s ticks and with what was asked, and what each of many turns used adds up to the whole',
    async () => {
      const { pid, ask, askAtOnce } = await start(name);
      const sampler = openSampler(pid);
      await expectTurnsToAddUp({ pid, ask }, sampler);
      const before = sampler.read();
      await ask(requests);
      await askAtOnce(8);
      expect(await sampler.awaitAsleep()).toMatchObject({ asleep: true });
      const after = sampler.read();
      expect(after.cpuUs - before.cpuUs).toBeGreaterThan(leastUs(requests + 8));
      expect(after.cpuStepUs).toBeUndefined();
      expectSameByTicks(before, after);
    },
  );
});

async function expectTurnsToAddUp(
  { pid, ask }: Pick<BuiltServer, 'pid' | 'ask'>,
  sampler: ReturnType<typeof openSampler>,
): Promise<void> {
  const tree = new TreeCpu([pid]);
  const before = sampler.read();
  let turnsUs = 0;
  for (let turn = 0; turn < requests / 5; turn++) {
    const fromUs = tree.readSettledUs();
    await ask(5);
    turnsUs += tree.readSettledUs() - fromUs;
  }
  const after = sampler.read();
  expect(turnsUs).toBeGreaterThan(leastUs(requests));
  expect(turnsUs).toBeLessThan(after.cpuUs - before.cpuUs + 1);
}

test.skipIf(!hasBuild('process per connection'))(
  'processes that end with their connection count in ticks, and the reading says so',
  async () => {
    const { pid, ask } = await start('process per connection');
    const sampler = openSampler(pid);
    const before = sampler.read();
    await ask(requests);
    // It waits for the last of them when it looks again.
    await ask(1);
    const after = sampler.read();
    expect(after.cpuUs - before.cpuUs).toBeGreaterThan(0.95 * leastUs(requests));
    expect(after.cpuChildrenUs ?? 0).toBeGreaterThan(0.9 * leastUs(requests));
    expect(after.cpuStepUs).toBe(10_000);
    expectSameByTicks(before, after);
  },
);

test.skipIf(!hasBuild('thread per connection'))(
  'the count of the threads that are left, as it was read before, would miss nearly all of it',
  async () => {
    const { pid, ask } = await start('thread per connection');
    const leftUs = () => Number.parseInt(readProc(`/proc/${pid}/task/${pid}/schedstat`) ?? '', 10) / 1000;
    const [fromUs, sampler] = [leftUs(), openSampler(pid)];
    const before = sampler.read();
    await ask(requests);
    const usedUs = sampler.read().cpuUs - before.cpuUs;
    expect(leftUs() - fromUs).toBeLessThan(usedUs / 2);
  },
);
