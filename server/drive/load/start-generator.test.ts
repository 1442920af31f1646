/** Protects a run against a slow rate of another host: its generator is not taken for hung while it waits for it. */
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../shared/scenario/scenario.ts';
import { capsSchema, type Listener } from '../../../shared/target/target.ts';
import { longestOpeningMs, longestPacedMs, longestTransactionMs } from './start-generator.ts';

const listener: Listener = {
  arm: 'baseline',
  ...{ transport: 'http', hostname: 'shop.test', address: '10.0.0.1', port: 80, ca: null, pid: null },
};
const permit = { host: 'shop.test', caps: capsSchema.parse({ requestsPerS: 2 }) };
const steps = ['/first', '/second'].map((path) => ({ name: path, method: 'GET', path, thinkTimeMs: 100 }));
const configuration = {
  ...{ connections: 40, thinkTimeScale: 0.5, requestTimeoutMs: 1000 },
  scenario: scenarioSchema.parse({ name: 'pages', steps }),
};

test('forty connections at two a second may take twenty seconds, and each step of forty users as well', () => {
  const paced = { ...configuration, listeners: [{ ...listener, permit }] };
  expect(longestPacedMs(paced)).toBe(20_000);
  expect(longestTransactionMs(paced)).toBe(2 * (50 + 1000 + 20_000));
});

test('nothing waits for a rate on this machine', () => {
  const here = { ...configuration, listeners: [listener] };
  expect(longestPacedMs(here)).toBe(0);
  expect(longestTransactionMs(here)).toBe(2 * (50 + 1000));
});

test('of 5,000 connections, opened 256 at a time, each lot may take as long as one', () => {
  const many = { ...configuration, listeners: [listener], connections: 5000 };
  expect(longestOpeningMs(many)).toBe(20 * 1000);
});
