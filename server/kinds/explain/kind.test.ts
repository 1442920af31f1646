/** Protects explanations of what runs already: another host is refused by its name, and the command that repeats it names the target. */
import { expect, test } from 'vitest';
import { explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { capsSchema } from '../../../shared/target/target.ts';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { explainCommand } from './explain-analysis.ts';
import { explain } from './kind.ts';

const target = { kind: 'origins', http: 'http://10.1.2.3:8080', https: 'https://10.1.2.3:8443' };
const request = explainRequestSchema.parse({ kind: 'explain', target, path: '/search' });

test('a target on another host is refused by its name', async () => {
  const house = {
    ...{ dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null },
    permits: async () => [{ host: '10.1.2.3', caps: capsSchema.parse({}) }],
  };
  await expect(explain.prepare(request, {}, house as never)).rejects.toThrow(
    'perf samples processes of this machine, and 10.1.2.3 is another host. Run TLS Toll there to explain it.',
  );
});

test('the command that repeats it names the target, and no server', () => {
  expect(explainCommand(request, 7)).toBe(
    'npx tls-toll explain --http http://10.1.2.3:8080 --https https://10.1.2.3:8443 --path /search --seed 7',
  );
  expect(explainCommand(explainRequestSchema.parse({ kind: 'explain', server: 'storefront' }), 7)).toBe(
    'npx tls-toll explain --target storefront --seed 7',
  );
});

test.each([
  ['server', { server: 'storefront' }],
  ['target', { target: { kind: 'origins', http: 'http://127.0.0.1:8080', https: 'https://127.0.0.1:8443' } }],
])('instructions of what Valgrind did not start are refused at the field %s', async (field, asked) => {
  const house = { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null };
  const counted = explainRequestSchema.parse({ kind: 'explain', instructions: true, ...asked });
  await expect(explain.prepare(counted, {}, house as never)).rejects.toMatchObject({
    problem: { code: 'not_countable', errors: [{ field }] },
  });
});

test('a client certificate is refused, because its key is not stored', async () => {
  const clientCertificate = sampleCertificate;
  const asked = explainRequestSchema.parse({ ...request, target: { ...target, clientCertificate } });
  await expect(explain.prepare(asked, {}, {} as never)).rejects.toMatchObject({
    problem: { code: 'not_explainable', detail: expect.stringContaining('client certificate') },
  });
});
