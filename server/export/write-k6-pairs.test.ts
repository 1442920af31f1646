/** Protects the script of pairs: it is one program, draws the orders that lockstep draws, and breaks out of no string. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a scenario are written like this
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../shared/scenario.ts';
import { seedRandom, shuffle } from '../statistics/random.ts';
import { type K6Pairs, writeK6Pairs } from './write-k6-pairs.ts';

const hostile = "'); throw new Error('escaped'); ('`${1}\\";

function pairs(change: Partial<K6Pairs> = {}): string {
  return writeK6Pairs({
    scenario: scenarioSchema.parse({
      name: hostile,
      data: { columns: ['word'], rows: [[hostile]] },
      steps: [
        {
          ...{ name: hostile, method: 'GET', path: '/a', headers: { 'x-odd': hostile }, thinkTimeMs: 40 },
          checks: [{ type: 'body_contains', text: hostile }],
          extract: [{ from: 'hidden_input', variable: 'token', name: hostile }],
        },
        { name: 'Second', method: 'POST', path: '/b', body: 'q=${word}&t=${token}' },
      ],
    }),
    origins: { baseline: 'http://a.test:1', comparison: 'https://a.test:2', twin: 'http://a.test:3' },
    hosts: { 'a.test:1': '127.0.0.1:1' },
    ...{ connections: 3, connectionPolicy: 'keep-alive', thinkTimeScale: 0.5, requestTimeoutMs: 5000 },
    tls: { version: 'TLSv1.3', verify: true },
    control: 'http://127.0.0.1:9/secret',
    requestsPerS: null,
    ...change,
  });
}

/** Without what a module alone may say. */
function asScript(text: string): string {
  return text.replaceAll(/^import .*$/gm, '').replaceAll(/^export (default )?/gm, '');
}

test('whatever a scenario says stays inside its strings', () => {
  for (const control of ['http://127.0.0.1:9/secret', null]) {
    const text = asScript(pairs({ control })).replace(/^function \(\)/m, 'function main()');
    expect(() => new Script(text)).not.toThrow();
  }
});

test.each([
  ['TLSv1.2', '{"min":"tls1.2","max":"tls1.2"}'],
  [null, '{"min":"tls1.2","max":"tls1.3"}'],
] as const)('of TLS it offers %s, or both versions where none was asked for', (version, range) => {
  expect(pairs({ tls: { version, verify: true } })).toContain(`"tlsVersion":${range}`);
});

test('orders are those of the seed, as lockstep draws them', () => {
  const draws = /function drawOrder[\s\S]*?(?=function transaction)/.exec(pairs())?.[0];
  const drawn = new Script(`let state = 42; ${draws} drawOrder(3)`).runInNewContext();
  expect([...drawn]).toEqual(shuffle([0, 1, 2], seedRandom(42)).value);
});

test.each([
  ['keep-alive', 0],
  ['connection-per-transaction', 1],
  ['connection-per-request', 2],
] as const)('with %s, %i requests ask the server to close', (connectionPolicy, count) => {
  expect(pairs({ connectionPolicy }).split("Connection: 'close'")).toHaveLength(count + 1);
});

test('pauses are scaled, and left out at zero', () => {
  expect(pairs()).toContain('  sleep(0.02);');
  expect(pairs({ thinkTimeScale: 0 })).not.toContain('  sleep(0);');
});
