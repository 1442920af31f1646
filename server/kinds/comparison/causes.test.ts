/** Protects causes: each is said where its evidence is, also on one side alone, and not where it is missing. */
import { describe, expect, test } from 'vitest';
import type { SideName } from '../../../shared/base/transport.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { type Cause, causeRecords, causesOf } from '../../../shared/words/causes.ts';
import { sampleRun } from '../../testing/sample-run.ts';

const run = sampleRun();
const found = (document: RunDocument): string[] => causesOf(document).map(({ id }) => id);
const sentenceOf = (document: RunDocument, id: string): string | undefined =>
  causesOf(document).find((cause: Cause) => cause.id === id)?.sentence;

test('a run of which nothing is wrong has none', () => {
  expect(found(run)).toEqual([]);
});

/**
 * The share of transactions that take 41 ms, on these sides; the others take 1 ms.
 * @param slowness by which a side takes longer than its CPU does
 */
function waiting(
  shares: Record<SideName, number>,
  slowness: Record<SideName, number> = { baseline: 1, comparison: 40 },
): RunDocument {
  const ladder = (late: number) => ({
    count: 1000,
    points: [1, 5, 10, 20, 25, 50, 75, 90, 95, 99, 100].map((percentile) => ({
      percentile,
      us: percentile > 100 * (1 - late) ? 41_000 : 1000,
    })),
  });
  return {
    ...run,
    blocks: run.blocks.map((block) => ({
      ...block,
      slots: block.slots.map((slot) => {
        const elapsedUs =
          slot.load.elapsedUs * (slot.arm === 'comparison' ? slowness.comparison : slowness.baseline);
        return { ...slot, load: { ...slot.load, elapsedUs } };
      }),
    })),
    distributions: { baseline: ladder(shares.baseline), comparison: ladder(shares.comparison) },
  };
}

function throttled(counts: Partial<Record<SideName, number>>): RunDocument {
  const none = { clockUs: 1, childrenUs: 0, tickUs: 1, processes: 1 };
  const cpuCheck = (['baseline', 'comparison'] as const).map((side) => {
    const of = counts[side];
    return {
      arms: [side],
      ...none,
      ...(of === undefined ? {} : { throttling: { periods: 176, throttled: of } }),
    };
  });
  return { ...run, launches: run.launches.slice(0, 1).map((launch) => ({ ...launch, cpuCheck })) };
}

function resuming(full: number, resumed: number, failed = 0): RunDocument {
  const comparison = { ...run.tls.comparison, handshakes: { full, resumed } };
  const error: RunDocument['errors'][number] = {
    ...{ side: 'comparison', name: 'HTTPS', step: null, outcome: 'tls_failed', detail: 'closed' },
    count: Math.max(1, failed),
  };
  return {
    ...run,
    asked: { ...run.asked, tls: { ...run.asked.tls, resumption: 'tickets' } },
    tls: { ...run.tls, comparison },
    errors: failed === 0 ? [] : [error],
  };
}

function closingIdle(idleCloses: number, lost = 0): RunDocument {
  const [first, ...blocks] = run.blocks;
  if (first === undefined) throw new Error('the sample has blocks');
  const slots = first.slots.map((slot) =>
    slot.arm === 'comparison' ? { ...slot, load: { ...slot.load, idleCloses } } : slot,
  );
  const error: RunDocument['errors'][number] = {
    ...{ side: 'comparison', name: 'HTTPS', step: 'Buy', outcome: 'closed_idle', detail: 'closed' },
    count: Math.max(1, lost),
  };
  return { ...run, blocks: [{ ...first, slots }, ...blocks], errors: lost === 0 ? [] : [error] };
}

function agreeing(key: (block: number) => string): RunDocument {
  const blocks = run.blocks.map((block, index) => ({
    ...block,
    slots: block.slots.map((slot) => {
      const { negotiated } = slot.load;
      const changed = negotiated === null ? null : { ...negotiated, key: key(index) };
      return { ...slot, load: { ...slot.load, negotiated: changed } };
    }),
  }));
  return { ...run, blocks };
}

const origins = { kind: 'origins', http: 'http://127.0.0.1:1', https: 'https://127.0.0.1:2' } as const;

/** Encodings that the check got to the first step, on each side; its body has 113 kB, or 21 kB compressed. */
function encoded(encodings: Record<SideName, string>, headers: Record<string, string> = {}): RunDocument {
  if (run.preflight === null) throw new Error('the sample was checked');
  const { sides, ...checked } = run.preflight;
  const answering = (side: SideName) => ({
    ...sides[side],
    responses: sides[side].responses.slice(0, 1).map((response) => ({
      ...response,
      contentEncoding: encodings[side],
      bodyBytes: encodings[side] === '' ? 113_000 : 21_000,
    })),
  });
  return {
    ...run,
    target: origins,
    scenario: { ...run.scenario, steps: run.scenario.steps.map((step) => ({ ...step, headers })) },
    preflight: {
      ...checked,
      sides: { baseline: answering('baseline'), comparison: answering('comparison') },
    },
  };
}

const offering = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
const gzipped = encoded({ baseline: 'gzip', comparison: 'gzip' }, offering);

describe.each<[id: string, present: RunDocument, sentence: RegExp, absent: RunDocument[]]>([
  [
    'slots',
    { ...run, slots: { sides: ['baseline', 'comparison'], connections: 24, served: 4, users: 1 } },
    /^HTTP and HTTPS serve 4 of 24 connections at a time\.$/,
    [run],
  ],
  [
    'slots',
    { ...run, slots: { sides: ['comparison'], connections: 8, served: 1, users: 1 } },
    /^HTTPS serves 1 of 8 connections at a time\.$/,
    [run],
  ],
  [
    'throttled',
    throttled({ comparison: 103 }),
    /^A CPU quota held HTTPS up in 103 of 176 periods \(59 %\)\.$/,
    [throttled({}), throttled({ comparison: 3 })],
  ],
  [
    'delayed-acknowledgement',
    waiting({ baseline: 0, comparison: 0.9 }),
    /^At least 90 % of the transactions over HTTPS take 38 to 48 ms, and 0 % on the other side: HTTPS waits, and its CPU is less busy \(0\.\d+ of a core, the other side 0\.\d+\)\.$/,
    // On both sides it is the application that waits; where the CPU is as busy, it computes for 40 ms.
    [
      waiting({ baseline: 0, comparison: 0.1 }),
      waiting({ baseline: 0.9, comparison: 0.9 }),
      waiting({ baseline: 0, comparison: 0.9 }, { baseline: 40, comparison: 1 }),
    ],
  ],
  [
    'idle-close',
    closingIdle(12),
    /^HTTPS closed 12 connections that were idle for about a second or longer, so the next request costs a new connection\.$/,
    [closingIdle(0)],
  ],
  [
    'idle-close',
    closingIdle(12, 5),
    /costs a new connection\. 5 requests were lost, because they were on their way and may not be sent twice\.$/,
    [run],
  ],
  [
    'session-turned-away',
    resuming(8, 0, 40),
    /^HTTPS: 8 full handshakes succeeded, and 40 connections failed after a session had been given\./,
    [resuming(8, 4000, 40), resuming(8, 4000), { ...resuming(8, 0, 40), asked: run.asked }],
  ],
  [
    'session-declined',
    resuming(2000, 2000),
    /^HTTPS resumed 50 % of its connections, not 100 %: the server declined sessions, and 2,000 handshakes were full\.$/,
    [resuming(8, 4000), { ...resuming(2000, 2000), asked: run.asked }],
  ],
  [
    'tls-changed',
    agreeing((block) => (block < 9 ? 'EC P-256' : 'RSA 2048')),
    /^HTTPS changed in the run from TLS 1\.3, \S+, EC P-256 to TLS 1\.3, \S+, RSA 2048\. What was measured before stays\.$/,
    [agreeing(() => 'EC P-256')],
  ],
  [
    'compression-missing',
    encoded({ baseline: '', comparison: 'gzip' }, offering),
    /^HTTP does not compress “[^”]+” \(113 kB\), and HTTPS does \(gzip, 21 kB\)\.$/,
    [gzipped, encoded({ baseline: '', comparison: '' }, offering), { ...gzipped, preflight: null }],
  ],
  [
    'compression-of-browsers',
    encoded({ baseline: '', comparison: '' }),
    /^HTTP sent “[^”]+” uncompressed \(113 kB\), because the step does not ask for compression\. .* HTTPS sent /,
    [gzipped, { ...encoded({ baseline: '', comparison: '' }), target: run.target }],
  ],
  [
    'compression-of-browsers',
    encoded({ baseline: 'br', comparison: 'br' }, offering),
    /^HTTP sent “[^”]+” as br, 21 kB\. Without TLS, browsers ask for gzip and deflate only, and get a different body\.$/,
    [gzipped, encoded({ baseline: '', comparison: '' }, offering)],
  ],
  [
    'server-restarted',
    { ...run, target: origins },
    /^The server of HTTP was restarted in the run: process 4711, then 4714, .* The server of HTTPS was restarted/,
    [{ ...run, target: origins, launches: run.launches.slice(0, 1) }, run],
  ],
])('%s', (id, present, sentence, absent) => {
  test('is said with its evidence', () => {
    expect(sentenceOf(present, id)).toMatch(sentence);
  });
  test('is not said without', () => {
    for (const document of absent) expect(found(document)).not.toContain(id);
  });
});

test('of two causes both are said, the graver first', () => {
  const both = { ...throttled({ baseline: 90, comparison: 103 }), target: origins, preflight: null };
  const again = { ...both, launches: [...both.launches, ...run.launches.slice(1)] };
  expect(found(again)).toEqual(['throttled', 'server-restarted']);
  expect(sentenceOf(again, 'throttled')).toMatch(/^A CPU quota held HTTP up in 90 .* held HTTPS up in 103 /);
});

test('evidence that ends in the middle of a run stays said, and so does a run that has no blocks yet', () => {
  const closed = closingIdle(12, 5);
  expect(found({ ...closed, blocks: closed.blocks.slice(0, 1), verdict: null })).toContain('idle-close');
  const changed = agreeing((block) => (block === 1 ? 'RSA 2048' : 'EC P-256'));
  expect(sentenceOf(changed, 'tls-changed')).toContain('What was measured before stays.');
  expect(found({ ...run, blocks: [], distributions: null, errors: [], launches: [] })).toEqual([]);
});

test('every cause has a test here', () => {
  const ids = ['slots', 'throttled', 'delayed-acknowledgement', 'idle-close', 'session-turned-away'];
  expect(causeRecords.map(({ id }) => id)).toEqual([
    ...ids,
    'session-declined',
    'tls-changed',
    'compression-missing',
    'compression-of-browsers',
    'server-restarted',
  ]);
});
