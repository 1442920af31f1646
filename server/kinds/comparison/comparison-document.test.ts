/** Protects the document of a run in every state. */

import { describe, expect, test } from 'vitest';
import { problem } from '../../../shared/base/problem.ts';
import type { Arm } from '../../../shared/base/transport.ts';
import type { Block } from '../../../shared/kinds/comparison/block.ts';
import { runDocumentSchema, runSchemaVersion } from '../../../shared/kinds/comparison/run.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { HostShare, HostsUsed } from '../../../shared/measurement/runner.ts';
import { sampleAtLoad } from '../../../shared/testing/sample-at-load.ts';
import {
  blockInTest,
  failed,
  histogramOf,
  percentilesInTest,
  resourcesInTest,
} from '../../testing/block-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { documentOf as documentFrom, warningsOfHosts } from './comparison-document.ts';
import type { RunRecord } from './run-connections.ts';

const sample = sampleRun({ launches: 1, epochs: 1 });

const record: RunRecord = {
  id: sample.id,
  createdAt: sample.createdAt,
  startedAt: sample.startedAt,
  endedAt: sample.endedAt,
  state: 'finished',
  request: runRequestSchema.parse({}),
  scenario: sample.scenario,
  plan: sample.plan,
  launches: sample.launches,
  environment: sample.environment,
  preflight: sample.preflight,
  cache: { ...sample.cache, browser: 'Chromium 156' },
  problem: null,
  revisionId: null,
  server: null,
  placement: null,
};

/** From the record and the blocks alone. */
function documentOf(
  { scenario, plan, launches, preflight, cache, revisionId, server, placement, atLoad, ...frame }: RunRecord,
  blocks: Block[],
) {
  return documentFrom(frame, {
    facts: {
      scenario,
      plan,
      launches,
      preflight,
      cache,
      revisionId,
      server,
      placement,
      ...(atLoad === undefined ? {} : { atLoad }),
    },
    blocks,
  });
}

/** Seven launches with a block in lockstep and one at the maximum; `loadOf` says what the generator counted in each slot. */
function blocksWith(
  loadOf: (arm: Arm, place: number, index: number) => Partial<LoadResult> = () => ({}),
): Block[] {
  return Array.from({ length: 14 }, (_, index) =>
    blockInTest(
      index,
      index % 2 === 0 ? 'lockstep' : 'maximum',
      (arm, place) => ({
        values:
          index % 2 === 0
            ? { latency_p50: 1000 }
            : { throughput: 400, cpu_at_load: arm === 'comparison' ? 120 : 100 },
        load: loadOf(arm, place, index),
      }),
      { launch: Math.floor(index / 2) },
    ),
  );
}

test('a finished run has a verdict, and is what the schema of the document says', () => {
  const document = documentOf(record, blocksWith());
  expect(runDocumentSchema.parse(document)).toEqual(document);
  expect(document).toMatchObject({
    schemaVersion: runSchemaVersion,
    state: 'finished',
    problem: null,
    verdict: { metric: 'cpu_at_load', outcome: 'overhead' },
    target: { kind: 'storefront' },
    sides: { baseline: { transport: 'http' }, comparison: { transport: 'https' } },
    environment: { cpuModel: 'Example CPU @ 2.40GHz' },
    command: expect.stringMatching(/^npx tls-toll compare .*--seed 7/),
  });
});

test.each(['queued', 'running', 'incomplete', 'interrupted', 'refused', 'failed'] as const)(
  'a run that is %s has its blocks and figures, and no verdict',
  (state) => {
    const failure = problem('run_cancelled', 'The run was cancelled.').problem;
    const endedAt = isOver(state) ? record.endedAt : null;
    const document = documentOf({ ...record, state, endedAt, problem: failure }, blocksWith());
    expect(runDocumentSchema.parse(document)).toMatchObject({ state, verdict: null, problem: failure });
    expect(document.blocks).toHaveLength(14);
    expect(document.metrics.every(({ outcome }) => outcome === 'refused')).toBe(true);
    expect(document.metrics.find(({ id }) => id === 'cpu_at_load')?.baseline?.center).toBeCloseTo(100, 9);
  },
);

test('a run that has not begun has a document without a single block', () => {
  const queued: RunRecord = {
    ...record,
    state: 'queued',
    startedAt: null,
    endedAt: null,
    preflight: null,
    cache: null,
  };
  expect(runDocumentSchema.parse(documentOf(queued, []))).toMatchObject({
    state: 'queued',
    verdict: null,
    sides: { baseline: { origin: null }, comparison: { origin: null } },
    fairness: null,
    distributions: null,
    steps: [{ name: 'Home', baseline: null, comparison: null }, {}, {}],
    cache: { baseline: null, comparison: null, findings: [] },
    warnings: [],
  });
});

test('a run that the analysis refuses is refused, with the problem and without a verdict', () => {
  const blocks = blocksWith().map((block) => (block.index < 6 ? { ...block, reasons: failed } : block));
  expect(runDocumentSchema.parse(documentOf(record, blocks))).toMatchObject({
    state: 'refused',
    verdict: null,
    problem: { code: 'target_errors', detail: expect.stringContaining('6 of 14 parts of the run') },
  });
});

describe('the TLS summary', () => {
  const negotiated = {
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    group: 'X25519MLKEM768',
    key: 'EC P-256',
    alpn: 'http/1.1',
  };
  const blocks = blocksWith((arm, place, index) => ({
    negotiated: arm === 'comparison' ? negotiated : null,
    lifetime:
      arm === 'comparison'
        ? {
            connectionsOpened: 10 + index,
            handshakesFull: 10 + index,
            handshakesResumed: place,
            renegotiations: 0,
          }
        : {
            connectionsOpened: arm === 'twin' ? 99 : 8,
            handshakesFull: 0,
            handshakesResumed: 0,
            renegotiations: 0,
          },
  }));

  test('adds up the last slots of each arm in a launch, which know of all before them, dropped or kept', () => {
    const dropped = blocks.map((block) => (block.index === 13 ? { ...block, reasons: failed } : block));
    expect(documentOf(record, dropped).tls).toEqual({
      baseline: { negotiated: null, handshakes: { full: 0, resumed: 0 }, connections: 56 },
      // The last blocks of the seven launches are 1, 3 … 13; the comparison arm's slot in A B N is the second.
      comparison: { negotiated, handshakes: { full: 119, resumed: 7 }, connections: 119 },
    });
  });

  test('is empty where both sides are plain', () => {
    const request = runRequestSchema.parse({
      sides: { baseline: { transport: 'http' }, comparison: { transport: 'http' } },
    });
    expect(documentOf({ ...record, request }, blocks).tls.comparison).toEqual({
      negotiated: null,
      handshakes: { full: 0, resumed: 0 },
      connections: 119,
    });
  });
});

test('fairness tells who was busy, in medians of the kept slots at each point', () => {
  const blocks = Array.from({ length: 14 }, (_, index) =>
    blockInTest(index, index % 2 === 0 ? 'lockstep' : 'maximum', (arm) => ({
      load: { elapsedUs: 200_000, generatorCpuUs: index % 2 === 0 ? 50_000 : 150_000, bodyBytes: 800_000 },
      target: resourcesInTest({ wallUs: 900_000, cpuUs: arm === 'comparison' ? 120_000 : 80_000 }),
    })),
  );
  const { fairness } = documentOf(record, blocks);
  expect(fairness?.baseline).toEqual({
    httpVersion: '1.1',
    contentEncoding: 'identity',
    bodyBytesPerTransaction: 8000,
    generatorCpuPercent: { lockstep: 25, maximum: 75, steady: null },
    targetCpuPercent: { lockstep: 40, maximum: 40, steady: null },
  });
  expect(fairness?.comparison.targetCpuPercent).toEqual({ lockstep: 60, maximum: 60, steady: null });
});

describe('distributions', () => {
  const histogramAt = (arm: Arm, index: number) => ({
    latencyHistogram: histogramOf(index % 2 === 0 ? [arm === 'comparison' ? 1200 : 1000] : [9, 9, 9]),
  });
  const lockstep = blocksWith((arm, _place, index) => histogramAt(arm, index));

  test('pool the lockstep slots of an arm', () => {
    const { distributions } = documentOf(record, lockstep);
    // One slot in each of seven blocks.
    expect(distributions?.baseline.count).toBe(7);
    expect(distributions?.comparison.points.at(-1)).toEqual({ percentile: 100, us: 1200 });
  });
  test('are those under open load where there is one', () => {
    const load = { latencyHistogram: histogramOf([2000, 2000]) };
    const steady = blockInTest(14, 'steady', () => ({ load }));
    const { distributions } = documentOf(record, [...lockstep, steady]);
    expect(distributions?.baseline).toEqual({ count: 2, points: [{ percentile: 100, us: 2000 }] });
  });
});

test('each step has the median of its slots’ percentiles', () => {
  const step = (p50: number) => ({
    latencyUs: percentilesInTest(p50),
    connectUs: null,
    tlsUs: null,
    ttfbUs: percentilesInTest(p50 / 2),
    downloadUs: percentilesInTest(p50 / 2),
  });
  const blocks = blocksWith((arm, _place, index) => ({
    steps: arm === 'comparison' ? [step(300)] : [step(100 + index)],
  }));
  const { steps } = documentOf(record, blocks);
  expect(steps.map(({ name }) => name)).toEqual(['Home', 'Search form', 'Search']);
  // Lockstep blocks are 0, 2 … 12, so the medians are those of block 6, and the maximum that of block 12.
  expect(steps[0]?.baseline?.latencyUs).toEqual({ count: 700, p50: 106, p90: 212, p99: 318, max: 448 });
  expect(steps[0]?.comparison?.ttfbUs?.p50).toBe(150);
  expect(steps[1]).toEqual({ name: 'Search form', baseline: null, comparison: null });
});

test('errors of all slots, dropped or kept, are grouped', () => {
  const blocks = blocksWith((arm) => ({
    errors:
      arm === 'comparison'
        ? [
            {
              transport: 'https',
              step: 'Search',
              outcome: 'unexpected_status',
              detail: 'answered 500 instead of 200',
              count: 3,
            },
          ]
        : [],
  }));
  const { errors } = documentOf(record, blocks);
  expect(errors).toEqual([expect.objectContaining({ side: 'comparison', name: 'HTTPS', count: 42 })]);
});

test('a foreign target is described by its origins and by what was asked for', () => {
  const target = { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  const request = runRequestSchema.parse({ target });
  const foreign = { ...record, request, preflight: null };
  const document = documentOf(foreign, blocksWith());
  expect(runDocumentSchema.parse(document)).toMatchObject({
    target: { kind: 'origins', ...target },
    sides: {
      baseline: { transport: 'http', origin: target.http },
      comparison: { transport: 'https', origin: target.https },
    },
  });
  expect(document.warnings).toEqual([
    expect.stringMatching(/^Runs differ by about ±3\.[0-9] %\. A longer run does not narrow that/),
    expect.stringMatching(/^The control uses the address of the first side/),
  ]);
});

test('a run at another load than the runs before it says so', () => {
  const instead = { users: 4, at: Date.UTC(2026, 10, 24) };
  const { warnings } = documentOf({ ...record, atLoad: { ...sampleAtLoad, instead } }, blocksWith());
  expect(warnings).toContain('The load changed: 8 users instead of the 4 in use since 24 Nov.');
  expect(documentOf({ ...record, atLoad: sampleAtLoad }, blocksWith()).warnings.join()).not.toContain(
    'changed',
  );
});

/** Protects the doubts about figures of several hosts: each is said where it holds, and nowhere else. */

function host(name: string, change: Partial<HostShare> = {}): HostShare {
  return {
    ...{ name, address: '10.1.2.3', processes: 1, requests: 1000, cpuUs: 1e6, busiestShare: 0.5 },
    ...{
      lateness: { medianUs: 10, longestUs: 900 },
      roundTripUs: 400,
      withinUs: 150,
      limited: false,
      ...change,
    },
  };
}

const good: HostsUsed = { hosts: [host('a'), host('b')], bursts: 90, idleShare: 0.05, losses: 0 };

test.each([
  [good, []],
  [{ ...good, hosts: [host('a'), host('b', { limited: true })] }, [/was the limit on b\./]],
  [{ ...good, hosts: [host('a'), host('b', { roundTripUs: 40_000 })] }, [/differ 100 times/]],
  [{ ...good, idleShare: 0.31 }, [/31 % of the time/]],
  [{ ...good, losses: 2 }, [/was lost 2 times/]],
])('%o', (used, words) => {
  expect(warningsOfHosts(used)).toEqual(words.map((each) => expect.stringMatching(each)));
});

test('compression on one side is a warning, but no remedy for requests that fail', () => {
  const { preflight } = record;
  if (preflight == null) throw new Error('the sample was checked');
  const [first, ...others] = preflight.sides.comparison.responses;
  if (first === undefined) throw new Error('the sample has a step');
  const responses = [{ ...first, contentEncoding: 'gzip', bodyBytes: 8000 }, ...others];
  const comparison = { ...preflight.sides.comparison, responses };
  const failedRun = {
    ...record,
    state: 'failed' as const,
    problem: problem('target_errors', 'The target failed in part 2 of the run.').problem,
    preflight: { ...preflight, sides: { ...preflight.sides, comparison } },
  };
  const document = documentOf(failedRun, []);
  expect(document.warnings[0]).toMatch(
    /^HTTP does not compress .* and HTTPS does \(gzip, 8.0 kB\)\. Compress on both/,
  );
  expect(document.problem).toEqual(failedRun.problem);
});
