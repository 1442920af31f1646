/** Protects the command line of sweeps: the command on a result asks for the same again, and what contradicts itself is refused. */
import { expect, test } from 'vitest';
import { expandPlan } from '../../../shared/kinds/servers/servers-cells.ts';
import { serversPresets } from '../../../shared/kinds/servers/servers-presets.ts';
import { serversRequestSchema } from '../../../shared/kinds/servers/servers-result.ts';
import { sizesRequestSchema } from '../../../shared/kinds/sizes/sizes.ts';
import { serversCommand } from '../../kinds/servers/servers-report.ts';
import { sizesCommand } from '../../kinds/sizes/kind.ts';
import { parseServers, parseSizes } from './kind-verbs.ts';

const argumentsOf = (command: string) => command.split(' ').slice(3);

test.each([
  serversPresets.servers,
  serversPresets['malmgren-2011'],
  {
    shape: 'grid',
    base: { server: 'node', document: 1000 },
    levels: { keepAlive: [true, false], cipher: [null] },
  },
  { shape: 'each', levels: { key: ['RSA-1024', 'P-256'], resumption: [true], protocol: ['TLSv1.2'] } },
] as const)('the command of a sweep gives its cells again: %o', (plan) => {
  const request = serversRequestSchema.parse({ kind: 'servers', plan, rounds: 4 });
  const { request: again, resumed } = parseServers(argumentsOf(serversCommand(request, 11)));
  expect([again.rounds, again.seed, resumed]).toEqual([4, 11, null]);
  expect(expandPlan(again.plan)).toEqual(expandPlan(request.plan));
});

test('names may be typed without capitals and hyphens', () => {
  const { request } = parseServers(['--keys', 'rsa2048,p256', '--servers', 'NGINX']);
  expect(request.plan).toMatchObject({ levels: { key: ['RSA-2048', 'P-256'] } });
  expect(() => parseServers(['--keys', 'rsa512'])).toThrow(/^--keys takes any of P-256, .*, not "rsa512"/);
});

test('listed cells and a custom base need a plan file', () => {
  const commandOf = (plan: object) =>
    serversCommand(serversRequestSchema.parse({ kind: 'servers', plan }), 1);
  expect(commandOf({ shape: 'cells', cells: [{}] })).toContain('--plan plan.json');
  const base = { concurrency: 8 };
  expect(commandOf({ shape: 'each', base, levels: { keepAlive: [false] } })).toContain('--plan plan.json');
});

test.each([
  [['--preset', 'servers', '--keys', 'P-256'], /exclude each other/],
  [['--preset', 'yesterday'], /servers, malmgren-2011/],
  [['--one-at-a-time'], /needs lists of levels/],
  [['--keep-alive', 'maybe'], '--keep-alive takes on, off, or both, not "maybe".'],
  [
    ['--servers', 'nginx,iis'],
    '--servers takes any of nginx, apache, lighttpd, caddy, h2o, haproxy, hitch, stunnel, envoy, go, jdk, and node, not "nginx,iis".',
  ],
  [
    ['--concurrency', '1,0'],
    '--concurrency takes up to 20 different whole numbers from 1 to 2,000, not "1,0".',
  ],
  [['--concurrency', '2001'], /concurrency/],
  [['--documents', '1k'], /^--documents takes up to 20 different whole numbers .*, not "1k"/],
  [['--rounds', 'six'], '--rounds takes a whole number from 3 to 50, not "six".'],
  [['--rounds', '2'], /rounds/],
])('is refused: %j', (args, reason) => {
  expect(() => parseServers(args)).toThrow(reason);
});

test.each([
  {},
  { target: { kind: 'managed', server: 'haproxy', key: 'RSA-4096' }, sizes: [1000, 2000], rounds: 5 },
  { target: 'lighttpd', suites: ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384'] },
  { target: { http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443', pid: 7 } },
])('the command of a sweep over sizes asks for the same again: %j', (asked) => {
  const request = sizesRequestSchema.parse({ kind: 'sizes', ...asked });
  expect(parseSizes(argumentsOf(sizesCommand(request, 5))).request).toEqual({ ...request, seed: 5 });
});

test.each([
  [['--sizes', '1000'], /sizes/],
  [
    ['--sizes', '10,abc'],
    '--sizes takes 2 to 200 different whole numbers from 1 to 10,000,000, not "10,abc".',
  ],
  [['--sizes', '10,'], /^--sizes takes 2 to 200 different whole numbers/],
  [['--sizes', '1000,1000'], /sizes/],
  [['--http', 'http://127.0.0.1:8080'], /go together/],
  [['--server', 'iis'], /^--server takes nginx, apache, .* or node, not "iis"/],
])('of a sweep over sizes is refused: %j', (args, reason) => {
  expect(() => parseSizes(args)).toThrow(reason);
});
