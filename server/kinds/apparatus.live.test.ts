/** Protects placement: a server started here and its generator run on cores of their own, and nobody else’s process is moved. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Arm, twoSidesAndTwin } from '../../shared/base/transport.ts';
import { originsTargetSchema } from '../../shared/target/target.ts';
import {
  parseCoreList,
  pinToCores,
  planAround,
  planPlacement,
  readAllowedCores,
  readCoreThreads,
} from '../base/process/cores.ts';
import { listProc, readProc } from '../base/process/proc.ts';
import { openAuthority } from '../targets/certificates/certificate-authority.ts';
import { type OpenTarget, openTarget } from '../targets/open/open-target.ts';
import { hasNginx, startNginxInTest } from '../testing/nginx-in-test.ts';
import { realApparatus } from './apparatus.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-apparatus-'));
afterAll(() => rmSync(dataDirectory, { recursive: true }));
const house = { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null };
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function place(target: OpenTarget<Arm>) {
  const generator = await realApparatus.startGenerator(1);
  stops.push(() => generator.stop());
  return { pids: generator.pids, placement: await realApparatus.place(generator, target) };
}

/** Cores that any thread of a process may use. */
function coresOf(pid: number | null): number[] {
  const lists = listProc(`/proc/${pid}/task`).map((thread) => readProc(`/proc/${pid}/task/${thread}/status`));
  const cores = lists.flatMap((list) =>
    parseCoreList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(list ?? '')?.[1] ?? ''),
  );
  return [...new Set(cores)].toSorted((a, b) => a - b);
}

test('each storefront runs on the cores of the target, the generator on its own', async () => {
  const target = await openTarget(
    { target: { kind: 'storefront' }, arms: twoSidesAndTwin, transports: ['http', 'https'] },
    house,
    new AbortController().signal,
  );
  stops.push(() => target.stop());
  const { pids, placement } = await place(target);
  const allowed = readAllowedCores();
  expect(placement).toEqual(planPlacement(allowed, 1, readCoreThreads(allowed)));
  for (const pid of pids) expect(coresOf(pid)).toEqual(placement?.generator ?? allowed);
  for (const { pid } of Object.values(target.listeners)) {
    expect(coresOf(pid)).toEqual(placement?.target ?? allowed);
  }
});

test.skipIf(!hasNginx)(
  'a server that stands already stays where it is, and the generator keeps off its cores',
  async () => {
    const authority = await openAuthority(dataDirectory);
    const nginx = await startNginxInTest(authority, ['http', 'https']);
    stops.push(nginx.stop);
    const origins = {
      http: `http://127.0.0.1:${nginx.httpPort}`,
      https: `https://127.0.0.1:${nginx.httpsPort}`,
      ca: authority.caPem,
    };
    const target = await openTarget(
      {
        target: originsTargetSchema.parse({ kind: 'origins', ...origins }),
        arms: twoSidesAndTwin,
        transports: ['http', 'https'],
      },
      house,
      new AbortController().signal,
    );
    expect(target.listeners.comparison.pid).toBe(nginx.pid);
    const { pids, placement } = await place(target);
    expect(placement).toBeNull();
    const allowed = readAllowedCores();
    for (const pid of [nginx.pid, ...pids]) expect(coresOf(pid)).toEqual(allowed);

    // Pin only the workers, like `worker_cpu_affinity`: the master, which serves nothing, may run anywhere.
    const [first = 0, ...others] = allowed;
    const workers =
      readProc(`/proc/${nginx.pid}/task/${nginx.pid}/children`)?.split(' ').filter(Boolean) ?? [];
    expect(await pinToCores(workers.map(Number), [first])).toBe(true);
    const around = await place(target);
    expect(around.placement).toEqual(planAround([first], allowed, 1, readCoreThreads(allowed)));
    expect(realApparatus.coresOf(target.listeners.comparison)).toBe(1);
    expect(coresOf(nginx.pid)).toEqual(allowed);
    for (const pid of around.pids)
      expect(coresOf(pid)).toEqual(others.length === 0 ? allowed : around.placement?.generator);
  },
);

test.skipIf(process.platform !== 'linux')(
  'every core is a thread of one that the kernel names, and of one only',
  () => {
    const allowed = readAllowedCores();
    const threads = readCoreThreads(allowed).flat();
    for (const core of allowed) expect(threads).toContain(core);
    expect(new Set(threads).size).toBe(threads.length);
  },
);
