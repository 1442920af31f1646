/** Protects targets as they are stored and shown, and the field that is named when one is wrong. */
import { expect, test } from 'vitest';
import { fieldErrorsOf } from '../base/problem.ts';
import { targetRequestSchema } from './target.ts';
import { factsOf } from './target-facts.ts';
import { targetChoices } from './target-words.ts';

const origins = { http: 'http://127.0.0.1:8080', https: 'https://localhost:8443' };

test('the short forms of a target are those with a kind', () => {
  expect(targetRequestSchema.parse('storefront')).toEqual({ kind: 'storefront' });
  expect(targetRequestSchema.parse(origins)).toEqual({ kind: 'origins', ...origins });
  for (const target of [{ kind: 'storefront' }, { kind: 'origins', ...origins, pid: 7 }]) {
    expect(targetRequestSchema.parse(target)).toEqual(target);
  }
});

test('a server of this machine is asked for by its name, or with settings of its own', () => {
  const nginx = targetRequestSchema.parse('nginx');
  expect(nginx).toEqual({
    ...{ kind: 'managed', server: 'nginx', key: 'P-256', chain: 0, workers: 1 },
    ...{ keepAlive: true, resumption: true, clientCertificates: false, kTls: false, documents: [10_000] },
    ...{ tickets: null, library: null, recordSize: null },
  });
  expect(factsOf(nginx)).toMatchObject({
    ...{ name: 'nginx', title: 'nginx, started here', options: ['--target nginx'] },
    startedHere: true,
    scenario: { name: '10,000 bytes', steps: [{ method: 'GET', path: '/10000.html' }] },
  });
  const own = { kind: 'managed', server: 'node', key: 'RSA-4096', chain: 2, documents: [0, 1000] } as const;
  expect(factsOf(targetRequestSchema.parse(own)).options).toEqual([
    ...['--target node', '--key RSA-4096', '--chain 2', '--document 0', '--document 1000'],
  ]);
});

test.each([
  ['shop', ''],
  [{ kind: 'managed', server: 'iis' }, 'server'],
  [{ kind: 'managed', server: 'nginx', documents: [10_000_001] }, 'documents.0'],
  [5, ''],
  [null, ''],
  [{ kind: 'nginx' }, 'kind'],
  [{ kind: 'constructor' }, 'kind'],
  [{ kind: 'storefront', http: origins.http }, 'http'],
  [{ ...origins, extra: true }, 'extra'],
])('what is wrong with the target %j is said of the field "%s"', (target, field) => {
  const { error } = targetRequestSchema.safeParse(target);
  expect(error === undefined ? null : fieldErrorsOf(error)[0]?.field).toBe(field);
});

test('a target is told by its name', () => {
  const [shop, pair] = (['storefront', origins] as const).map((asked) => targetRequestSchema.parse(asked));
  if (shop === undefined || pair === undefined) throw new Error('both are targets');
  expect([factsOf(shop).name, factsOf(pair).name]).toEqual([
    'storefront',
    'http://127.0.0.1:8080 | https://localhost:8443',
  ]);
  expect(targetChoices.map(({ value }) => value)).toEqual(['storefront', 'origins', 'managed']);
});
