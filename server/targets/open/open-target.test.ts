/** Protects where an exporter may be: nowhere that nobody allowed, and not beside an agent. */
import { expect, test } from 'vitest';
import { capsSchema, originsTargetSchema } from '../../../shared/target/target.ts';
import { resolveExporter } from './open-target.ts';

const resolve = (prometheus: object, more: object = {}, allowed: string[] = []) => {
  const origins = { kind: 'origins', http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' };
  const permits = async () => allowed.map((host) => ({ host, caps: capsSchema.parse({ requestsPerS: 7 }) }));
  return resolveExporter(originsTargetSchema.parse({ ...origins, prometheus, ...more }), { permits });
};

test('an allowed one is pinned, with its query, and asked no more often than its host may be', async () => {
  const url = 'http://10.1.2.3:9256/metrics?collect[]=cpu';
  expect(await resolve({ url, cpu: 'cpu{name="x"}' }, {}, ['10.1.0.0/16'])).toMatchObject({
    ...{ address: '10.1.2.3', port: 9256, path: '/metrics?collect[]=cpu', secure: false, mostPerS: 7 },
    cpu: { selector: { name: 'cpu', matchers: [{ label: 'name', equal: true, value: 'x' }] } },
    memory: { text: 'process_resident_memory_bytes' },
  });
});

test.each(['http://10.1.2.3/metrics', 'http://0x0a.1.2.3/metrics', 'http://169.254.169.254/latest'])(
  '%s is refused until somebody has allowed it',
  async (url) => {
    await expect(resolve({ url }, {}, ['10.9.0.0/16'])).rejects.toMatchObject({
      problem: { code: 'target_not_permitted', errors: [{ field: 'target.prometheus.url' }] },
    });
  },
);

test('a token goes over plain HTTP on this machine only', async () => {
  const bearer = { bearer: true };
  const away = ['10.1.0.0/16'];
  await expect(resolve({ url: 'http://10.1.2.3/metrics', ...bearer }, {}, away)).rejects.toMatchObject({
    problem: { code: 'invalid_request', errors: [{ field: 'target.prometheus.url' }] },
  });
  expect(await resolve({ url: 'https://10.1.2.3/metrics', ...bearer }, {}, away)).toMatchObject(bearer);
  expect(await resolve({ url: 'http://127.0.0.1:9/metrics', ...bearer })).toMatchObject(bearer);
});

test('an agent and an exporter together are refused', async () => {
  const agent = { address: '127.0.0.1:7301', fingerprint: 'ab'.repeat(32) };
  await expect(resolve({ url: 'http://127.0.0.1:9/metrics' }, { agent })).rejects.toMatchObject({
    problem: { code: 'invalid_request', errors: [{ field: 'target.prometheus' }] },
  });
});

test.each(['10.1.2.3:9256', 'ftp://10.1.2.3/metrics', 'http://me:secret@10.1.2.3/metrics', 'metrics'])(
  '%s is no address of an exporter',
  (url) => expect(() => resolve({ url })).toThrow(/Give the whole address|Leave name and password out/),
);
