/** Protects traffics as people type them, and what a run, a scenario, and a HAR know of one: nothing that they do not say. */
import { expect, test } from 'vitest';
import {
  knownIn,
  printSizes,
  readSizes,
  trafficOfHar,
  trafficOfRun,
  trafficOfScenario,
  trafficRequestSchema,
} from './traffic.ts';

test.each([
  ['10 kB', [{ bytes: 10_000, share: 1 }]],
  ['2,500', [{ bytes: 2500, share: 1 }]],
  [
    '1.5 MB 25%,  64 KiB 75 %',
    [
      { bytes: 1_500_000, share: 0.25 },
      { bytes: 65_536, share: 0.75 },
    ],
  ],
])('%j is sizes with their shares, and prints as it can be typed again', (text, sizes) => {
  expect(readSizes(text)).toEqual(sizes);
  const [first] = readSizes(printSizes(sizes)) ?? [];
  expect(first?.bytes).toBeCloseTo(sizes[0]?.bytes ?? 0, -2);
});

test.each(['', 'large', '10 kb', '2 kB 80%', '2 kB 80%, 3 kB', '1 kB 80%, 2 kB 40%', '-1 kB', '1 kB 101%'])(
  '%j is none',
  (text) => {
    expect(readSizes(text)).toBeNull();
    expect(trafficRequestSchema.safeParse({ traffic: { sizes: text } }).success).toBe(false);
  },
);

test.each([
  { requestsPerS: 0 },
  { requestsPerS: 1e9 },
  { returningShare: 1.01 },
  { requestsPerConnection: 0.5 },
  { utilization: 1.1 },
  { sizes: [{ bytes: 1000, share: 0.5 }] },
  { sizes: [] },
])('%j is no traffic', (traffic) => {
  const [issue] = trafficRequestSchema.safeParse({ traffic }).error?.issues ?? [];
  expect(issue?.path.slice(0, 2)).toEqual(['traffic', Object.keys(traffic)[0]]);
});

test('a run knows the mean size, its connections, and what they resumed, and not how much traffic there is', () => {
  const known = trafficOfRun({
    scenario: { steps: [{}, {}] },
    fairness: { comparison: { bodyBytesPerTransaction: 30_000 } },
    connections: { comparison: { requests: 1000, opened: 50, handshakesFull: 40, handshakesResumed: 10 } },
  } as never);
  expect(knownIn(known)).toEqual({
    ...{ sizes: [{ bytes: 15_000, share: 1 }], requestsPerConnection: 20, returningShare: 0.2 },
  });
});

test('a scenario knows the sizes that were recorded', () => {
  const steps = [1000, 1000, 5000, null].map((bodyLength) => ({ enabled: true, recorded: { bodyLength } }));
  const off = { enabled: false, recorded: { bodyLength: 9 } };
  expect(knownIn(trafficOfScenario({ steps: [...steps, off] } as never))).toEqual({
    sizes: [
      { bytes: 1000, share: 2 / 3 },
      { bytes: 5000, share: 1 / 3 },
    ],
  });
});

test('a HAR knows the sizes on the wire, and its connections', () => {
  const entry = (connection: string, bodySize: number, size: number) => ({
    ...{ connection, response: { bodySize, content: { size } } },
  });
  const entries = [entry('1', 500, 2000), entry('1', -1, 3000), entry('2', 500, 2000), null];
  expect(knownIn(trafficOfHar(JSON.stringify({ log: { entries } })))).toEqual({
    sizes: [
      { bytes: 500, share: 2 / 3 },
      { bytes: 3000, share: 1 / 3 },
    ],
    requestsPerConnection: 1.5,
  });
});

test('many sizes become a dozen classes with the same mean', () => {
  const entries = Array.from({ length: 100 }, (_, nth) => ({ response: { bodySize: nth * 100 } }));
  const { sizes } = trafficOfHar(JSON.stringify({ log: { entries } }));
  expect(sizes).toHaveLength(12);
  expect(sizes.reduce((sum, { bytes, share }) => sum + bytes * share, 0)).toBeCloseTo(4950, -1);
});

test.each(['', '{}', '[]', '{"log":{"entries":{}}}', 'GET /'])('%j is no HAR', (text) => {
  expect(() => trafficOfHar(text)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: 'import_unreadable' }) }),
  );
});
