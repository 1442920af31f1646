/** Protects the two shifts of a mesh: ratios of sums within a launch, launches as units, the twin’s own deviation in the interval. */
import { expect, test } from 'vitest';
import {
  type MeshArm,
  type MeshLaunch,
  type MeshRound,
  meshHeadline,
} from '../../../shared/kinds/mesh/mesh.ts';
import { mesh } from './kind.ts';
import { analyseMesh, loneShifts, meshWarnings } from './mesh-analysis.ts';

/** µs of CPU a request, by process. */
const usual = { direct: [20], plain: [21, 29], secure: [22, 38], twin: [20] };

/** @param pace of the machine: all processes take so much more */
function roundOf(pace = 1, costs: Record<MeshArm, number[]> = usual, aside = false): MeshRound {
  const armOf = (arm: MeshArm) => {
    const [application = 0, proxy] = costs[arm].map((us) => us * pace * 100);
    return {
      transactions: 100,
      perS: 1000,
      cpuUs: { application, ...(proxy === undefined ? {} : { proxy }) },
    };
  };
  return {
    ...{ order: 'DPSN', elapsedMs: 160, stealRatio: 0, foreignRatio: 0, aside },
    arms: {
      direct: armOf('direct'),
      plain: armOf('plain'),
      secure: armOf('secure'),
      twin: armOf('twin'),
    },
  };
}

function launchOf(launch: number, rounds: MeshRound[]): MeshLaunch {
  return {
    ...{ launch, rounds },
    lone: {
      groups: 10,
      medianUs: { direct: 100, plain: 180, secure: 230, twin: 100 },
      shiftUs: { proxy: 80 + launch, tls: 50, twin: 0 },
    },
    cpuCheck: { clockUs: 100_000, tickUs: 110_000, processes: 6 },
  };
}

const calm = [0, 1, 2].map((launch) => launchOf(launch, [roundOf(1 + launch / 2), roundOf(1 + launch / 2)]));

test('a slow launch changes no shift, and µs are those of the mean direct request', () => {
  const { cpu, arms } = analyseMesh({ clientProxy: false }, calm, true);
  // Launches at 1, 1.5 and 2 times 20 µs: a direct request takes 30 µs, the proxy 1.5 times as much more, and TLS half as much.
  expect(cpu.proxy?.percent.center).toBeCloseTo(150, 9);
  expect(cpu.proxy?.us.center).toBeCloseTo(45, 9);
  expect(cpu.tls?.us.center).toBeCloseTo(15, 9);
  for (const shift of Object.values(cpu)) expect((shift?.us.hi ?? 1) - (shift?.us.lo ?? 0)).toBeCloseTo(0, 9);
  expect(arms.map(({ cpuUs }) => Math.round(cpuUs?.center ?? 0))).toEqual([30, 75, 90, 30]);
  expect(arms[2]?.parts.map(({ role, cpuUs }) => [role, Math.round(cpuUs.center)])).toEqual([
    ['application', 33],
    ['proxy', 57],
  ]);
  expect(arms.map(({ perS }) => perS)).toEqual([null, null, null, null]);
});

test('rounds that were set aside do not count, on any arm', () => {
  const wild = roundOf(1, { ...usual, secure: [500, 500] }, true);
  const launches = calm.map(({ launch, rounds }) => launchOf(launch, [...rounds, wild]));
  expect(analyseMesh({ clientProxy: false }, launches, false).cpu).toEqual(
    analyseMesh({ clientProxy: false }, calm, false).cpu,
  );
});

test('Student’s interval over launches: shares of 1.4, 1.5 and 1.6 reach t(2) × 0.1 ÷ √3 to either side', () => {
  const launches = [27, 29, 31].map((proxy, launch) =>
    launchOf(launch, [roundOf(1, { ...usual, plain: [21, proxy] })]),
  );
  const { proxy } = analyseMesh({ clientProxy: false }, launches, true).cpu;
  const reach = (4.302653 * 0.1) / Math.sqrt(3);
  expect(proxy?.percent.center).toBeCloseTo(150, 6);
  expect(proxy?.percent.lo).toBeCloseTo(100 * (1.5 - reach), 4);
  expect(proxy?.us.hi).toBeCloseTo(20 * (1.5 + reach), 5);
});

test('a twin that differs widens both shifts by half of what it differs by', () => {
  const launches = [0, 1, 2].map((launch) => launchOf(launch, [roundOf(1, { ...usual, twin: [22] })]));
  const { proxy, tls, twin } = analyseMesh({ clientProxy: false }, launches, true).cpu;
  // 2 µs of 20, which is what a direct request takes.
  expect(twin?.us.center).toBeCloseTo(2, 9);
  expect((proxy?.us.hi ?? 0) - (proxy?.us.center ?? 0)).toBeCloseTo(1, 9);
  expect((tls?.us.center ?? 0) - (tls?.us.lo ?? 0)).toBeCloseTo(1, 9);
});

test('two launches have no interval, and say nothing', () => {
  const { cpu, arms, latency } = analyseMesh({ clientProxy: false }, calm.slice(0, 2), true);
  expect([...Object.values(cpu), ...Object.values(latency)]).toEqual(Array(6).fill(null));
  expect(arms.flatMap(({ cpuUs, parts }) => [cpuUs, ...parts]).filter((each) => each !== null)).toEqual([]);
});

test('latency is that of pairs: a moment that is slow for all arms changes nothing', () => {
  const group = (slow: number) => ({ direct: slow, plain: slow + 80, secure: slow + 130, twin: slow + 2 });
  expect(loneShifts([[group(100), group(900)], [group(130)]])).toEqual({ proxy: 79, tls: 50, twin: 2 });
});

test('the headline stays within the intervals, and prints no amount that may be zero', () => {
  const request = mesh.requestSchema.parse({ kind: 'mesh' });
  const launches = [29, 20, 38].map((tls, launch) =>
    launchOf(launch, [roundOf(1, { ...usual, secure: [22, tls] })]),
  );
  const found = { ...analyseMesh(request, launches, false), load: null, request };
  expect(meshHeadline(found)).toMatchObject({
    title: expect.stringMatching(/^HAProxy with TLS costs \S+ µs more CPU per request$/),
    second: expect.stringMatching(/^\+\S+ % at full load \(\S+ → \S+ µs\); no measurable part of it is TLS$/),
  });
});

test('counts of CPU that disagree are said, and so is much that was set aside', () => {
  expect(meshWarnings(calm)).toEqual([]);
  const off = calm.map((each) => ({ ...each, cpuCheck: { clockUs: 1e6, tickUs: 2e6, processes: 6 } }));
  expect(meshWarnings(off)[0]).toMatch(/disagree: 3,000 ms by the CPU clock, 6,000 ms/);
  const disturbed = calm.map(({ launch, rounds }) => launchOf(launch, [...rounds, roundOf(1, usual, true)]));
  expect(meshWarnings(disturbed)[0]).toMatch(/disturbed 33 % of the rounds/);
});
