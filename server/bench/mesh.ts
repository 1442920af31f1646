import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byArm, namesOf } from '../../shared/base/arms.ts';
import { defaultTlsProfile } from '../../shared/base/tls-profile.ts';
import type { Estimate } from '../../shared/kinds/comparison/comparison.ts';
import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { type MeshArm, type MeshRequest, meshArms, meshRequestSchema } from '../../shared/kinds/mesh/mesh.ts';
import { usualUsers } from '../../shared/measurement/load-options.ts';
import type { Listener } from '../../shared/target/target.ts';
import { readProcessStat } from '../base/process/process-stat.ts';
import { ProcessTree } from '../base/process/process-tree.ts';
import { readingsHere, realApparatus } from '../kinds/apparatus.ts';
import { partsOf } from '../kinds/mesh/conduct/arm-readings.ts';
import { openMesh } from '../kinds/mesh/conduct/open-mesh.ts';
import { mesh } from '../kinds/mesh/kind.ts';
import { type MeshPart, requestTimeoutMs, scenarioOf } from '../kinds/mesh/plan/plan-mesh.ts';
import type { Bench } from '../measure/bench.ts';
import { rounds } from '../measure/rounds.ts';
import { sum } from '../method/statistics/estimates.ts';
import { sumOf } from '../method/statistics/mean.ts';
import { describeEnvironment } from '../targets/sampling/environment.ts';
import { gainOf } from '../targets/sampling/readings.ts';
import { conductAlone } from '../testing/conduct-alone.ts';
import type { BenchOptions } from './bench-options.ts';
import type { Figure } from './figure.ts';
import { runInProcess } from './run-in-process.ts';

const usualRuns = 3;
const arms = namesOf<MeshArm>(meshArms);

/**
 * Two proofs of the toll of a mesh on HAProxy in front of nginx: its two shifts come to what a comparison says of the same two ends, run in
 * turns; and CPU by process is that of a control group around each of them.
 */
export async function measureMesh({ runs, seed }: Pick<BenchOptions, 'runs' | 'seed'>): Promise<Figure[]> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-mesh-bench-'));
  const { signal } = new AbortController();
  const figures: Figure[] = [];
  try {
    for (let run = 0; run < (runs ?? usualRuns); run++) {
      const ours = await measureOnce(dataDirectory, seed + run);
      const { metrics } = await runInProcess({ request: sameEnds }, dataDirectory, signal);
      const ratio = metrics.find(({ id }) => id === 'cpu_at_load')?.ratio ?? null;
      if (ratio === null) throw new Error('The comparison has no cost at load.');
      figures.push(...agreementOf(run, ours, inPercent(ratio)));
    }
    figures.push(...(await compareWithGroups(dataDirectory, signal)));
    return figures;
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

const request: MeshRequest = meshRequestSchema.parse({ kind: 'mesh' });

/** Straight to nginx, and through HAProxy with TLS to nginx. */
const sameEnds: RunRequestInput = {
  length: 'first',
  target: 'nginx',
  sides: {
    baseline: { transport: 'http' },
    comparison: { transport: 'https', target: { server: 'haproxy' } },
  },
};

/** Of the proxy and of TLS in it together, in percent of a direct request. */
async function measureOnce(dataDirectory: string, seed: number): Promise<Estimate> {
  const document = await conductAlone(
    mesh,
    { ...request, seed },
    {
      house: { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
      environment: describeEnvironment('tls-toll bench', true),
    },
  );
  const { proxy, tls } = document.cpu;
  if (proxy === null || tls === null) throw new Error('The mesh has no shifts.');
  return sum([proxy.percent, tls.percent]);
}

function inPercent({ center, lo, hi }: Estimate): Estimate {
  return { center: 100 * (center - 1), lo: 100 * (lo - 1), hi: 100 * (hi - 1) };
}

function agreementOf(run: number, ours: Estimate, other: Estimate): Figure[] {
  const reach = Math.hypot((ours.hi - ours.lo) / 2, (other.hi - other.lo) / 2);
  const named = (figure: string, { center, lo, hi }: Estimate): Figure => ({
    ...{ bench: 'mesh', figure: `${figure}, run ${run + 1}`, value: center, unit: '%' },
    ...{ range: [lo, hi], atMost: null },
  });
  return [
    named('proxy and TLS, by the mesh', ours),
    named('the same, by a comparison', other),
    {
      ...{ bench: 'mesh', figure: `apart, in half-widths of both, run ${run + 1}` },
      ...{ value: Math.abs(ours.center - other.center) / reach, unit: '', range: null, atMost: 1 },
    },
  ];
}

const groupMs = 4000;
const burstMs = 40;

/** Each process tree in a control group of its own; nothing where no such group can be made. */
async function compareWithGroups(dataDirectory: string, signal: AbortSignal): Promise<Figure[]> {
  const house = { dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null };
  const opened = await openMesh(request, house, async () => {}, signal);
  const generator = await realApparatus.startGenerator(1, signal);
  const parts = Object.keys(opened.processes) as MeshPart[];
  const groups: Group[] = [];
  try {
    for (const part of parts) groups.push(makeGroup(part, opened.processes[part]));
    await generator.configure({
      listeners: arms.map((arm) => opened.listeners[arm]),
      scenario: scenarioOf(request),
      tls: defaultTlsProfile,
      ...{ connectionPolicy: 'keep-alive', connections: request.users ?? usualUsers, requestTimeoutMs },
    });
    for (const arm of arms) await generator.prepare(arm);
    const read = byArm(
      parts,
      (part): Listener => ({ ...opened.listeners.direct, arm: part, pid: opened.processes[part] }),
    );
    const readings = readingsHere<MeshPart>(read, realApparatus);
    const first = await readings.readCpu();
    const groupsFirst = groups.map((group) => group.readUs());
    const bench: Bench<MeshArm, MeshPart> = {
      ...{ arms: meshArms, generator, readings, readHost: () => null, beforeRound: null },
      partsOf: (arm) => partsOf(arm, request),
    };
    const turns = arms.map((arm) => ({ arm, users: request.users ?? usualUsers, burstMs }));
    for await (const _ of rounds(bench, () => turns, { seed: 1, ms: groupMs, signal }));
    const used = gainOf(first, await readings.readCpu());
    if (used === null) throw new Error('CPU cannot be read here.');
    const inGroups = groups.map((group, place) => group.readUs() - (groupsFirst[place] ?? 0));
    const apart = (ours: number, theirs: number) => (100 * Math.abs(ours - theirs)) / theirs;
    const figure = (name: string, value: number): Figure => ({
      ...{ bench: 'mesh', figure: name, value, unit: '%', range: null, atMost: 2 },
    });
    return [
      figure('all processes, apart from their groups', apart(sumOf(Object.values(used)), sumOf(inGroups))),
      ...parts.map((part, place) =>
        figure(`${part}, apart from its group`, apart(used[part], inGroups[place] ?? 0)),
      ),
    ];
  } finally {
    await Promise.allSettled([generator.stop(), opened.stop()]);
    for (const group of groups) group.remove();
  }
}

type Group = { readUs(): number; remove(): void };

/** Version 2 has one hierarchy, version 1 one for the accounting of CPU. */
const versions = [
  {
    root: '/sys/fs/cgroup/cpuacct',
    usageUs: (path: string) => Number(readFileSync(join(path, 'cpuacct.usage'), 'utf8')) / 1000,
  },
  {
    root: '/sys/fs/cgroup',
    usageUs: (path: string) =>
      Number(/^usage_usec (\d+)/m.exec(readFileSync(join(path, 'cpu.stat'), 'utf8'))?.[1]),
  },
];

/** With the process and all its descendants in it. */
function makeGroup(part: MeshPart, pid: number): Group {
  const stat = readProcessStat(pid);
  if (stat === null) throw new Error(`The process of ${part} has gone.`);
  for (const { root, usageUs } of versions) {
    const path = join(root, `tls-toll-bench-${process.pid}-${part.replaceAll(' ', '-')}`);
    try {
      mkdirSync(path);
      for (const member of new ProcessTree({ pid, stat }).list()) {
        writeFileSync(join(path, 'cgroup.procs'), String(member.pid));
      }
      usageUs(path);
      return { readUs: () => usageUs(path), remove: () => rmdirSync(path) };
    } catch {}
  }
  throw new Error('No control group can be made here. Run the bench as root on Linux.');
}
