/** Protects load from several hosts: they load what they may, count to the last request, and leave nothing behind. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problem } from '../../../../shared/base/problem.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import { capsSchema, originsTargetSchema } from '../../../../shared/target/target.ts';
import { productVersion } from '../../../edge/settings/product-version.ts';
import { type HostsInTest, openHostsInTest } from '../../../testing/hosts-in-test.ts';
import { type MeasuredBriefly, measureBriefly } from '../../../testing/measure-briefly.ts';
import { mayMakeHosts } from '../../../testing/network-host.ts';
import { hasNginx } from '../../../testing/nginx-in-test.ts';
import { untilAsync } from '../../../testing/until-async.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-hosts-'));
const mostPerS = 2000;

describe.skipIf(!mayMakeHosts || !hasNginx)('a target on another host, loaded from two', () => {
  let hosts: HostsInTest;
  beforeAll(async () => {
    hosts = await openHostsInTest({ directory, count: 2, version: productVersion() });
  });
  afterAll(async () => {
    await hosts?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function measure(choice: Partial<Parameters<typeof measureBriefly>[1]> = {}): Promise<MeasuredBriefly> {
    const { origins, agent, target, pool } = hosts;
    return measureBriefly(originsTargetSchema.parse(origins), {
      ...{ directory, secrets: { agent_token: agent.token }, asked: { generatorHosts: 2 } },
      permits: async () => [{ host: target.address, caps: capsSchema.parse({ requestsPerS: mostPerS }) }],
      ...{ generatorHosts: pool, ...choice },
    });
  }

  test('is measured by both, and every request is in the log of the target', async () => {
    const { facts, blocks } = await measure();
    const { hosts: used = [], idleShare = 1, bursts = 0, losses } = facts.hosts ?? {};
    expect(used.map(({ name, address }) => [name, address])).toEqual(
      hosts.generators.map(({ host }, index) => [`gen-${index + 1}`, host.address]),
    );
    for (const { requests, address, cpuUs } of used) {
      expect(requests).toBeGreaterThan(50);
      expect(requests).toBe(hosts.nginx.requestsFrom(address).length);
      expect(cpuUs).toBeGreaterThan(0);
    }
    // Both together, in any second; users who wait for a busy machine may go at once.
    const times = used.flatMap(({ address }) => hosts.nginx.requestsFrom(address)).toSorted((a, b) => a - b);
    const most = mostPerS + (facts.atLoad?.users ?? usualUsers);
    const tooMany = times.filter((at, index) => (times[index + most] ?? Number.POSITIVE_INFINITY) - at < 1);
    expect(tooMany).toEqual([]);
    expect([bursts > 0, losses, idleShare < 1]).toEqual([true, 0, true]);
    const atLoad = blocks.find(({ kind }) => kind === 'maximum');
    expect(atLoad?.ratios.cpu_at_load?.value).toBeGreaterThan(1);
    expect(blocks.flatMap(({ reasons }) => reasons)).toEqual([]);
    expect(hosts.pool.list().map(({ state }) => state)).toEqual(['idle', 'idle']);
  });

  test('goes on when a generator is killed and comes back, with what went on then measured again', async () => {
    let killed = false;
    const { facts, blocks } = await measure({
      plan: { epochs: { minimum: 2, maximum: 2 } },
      onBlock() {
        if (killed) return;
        killed = true;
        hosts.generators[1]?.running.child.kill('SIGKILL');
        hosts.restart(1);
      },
    });
    expect(facts.hosts?.losses).toBe(1);
    expect(blocks).toHaveLength(4);
  });

  test('gets no request more once all load is stopped, and the hosts keep no process', async () => {
    const stop = new AbortController();
    const measuring = measure({
      ...{ signal: stop.signal, plan: { lockstepMs: 60_000 } },
      onBlock: () => stop.abort(problem('load_stopped', 'All load was stopped.')),
    });
    await expect(measuring).rejects.toMatchObject({ problem: { code: 'load_stopped' } });
    for (const { host } of hosts.generators) {
      const processes = async () => host.run('ps', '-e', '-o', 'args').match(/load\/generator\.ts/g)?.length;
      await untilAsync(processes, (count) => count === undefined);
      const before = hosts.nginx.requestsFrom(host.address).length;
      await pause(200);
      expect(hosts.nginx.requestsFrom(host.address)).toHaveLength(before);
    }
  });

  test('is refused by a host that may not load it, in its words', async () => {
    hosts.generators[1]?.running.child.kill('SIGTERM');
    await untilAsync(
      async () => hosts.pool.list().length,
      (count) => count === 1,
    );
    hosts.restart(1, { allow: '10.1.2.3:80' });
    await untilAsync(
      async () => hosts.pool.free().length,
      (count) => count === 2,
    );
    const { address } = hosts.target;
    await expect(measure()).rejects.toMatchObject({
      problem: {
        code: 'generator_refused',
        detail: `The generator gen-2: it may not load ${address} with port ${hosts.nginx.httpPort}. Start it with --allow ${address}.`,
      },
    });
  });
});
