/** Protects which TLS a run of a server that stands already measures: the best of both ends, or what was asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preflightRequestSchema, targetEndpoints } from '../../../../shared/api/target-endpoints.ts';
import type { RunRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import { originsTargetSchema } from '../../../../shared/target/target.ts';
import { type Authority, openAuthority } from '../../../targets/certificates/certificate-authority.ts';
import { measureBriefly } from '../../../testing/measure-briefly.ts';
import { hasNginx, startNginxInTest } from '../../../testing/nginx-in-test.ts';
import { openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';

let server: ServerInTest;
let authority: Authority;
beforeAll(async () => {
  server = await openServerInTest();
  authority = await openAuthority(server.directory);
});
afterAll(() => server.close());

/** A real nginx that offers these versions. */
async function nginxOf(protocols: string) {
  const { httpPort, httpsPort, stop } = await startNginxInTest(authority, ['http', 'https'], { protocols });
  const target = originsTargetSchema.parse({
    kind: 'origins',
    http: `http://127.0.0.1:${httpPort}`,
    https: `https://127.0.0.1:${httpsPort}`,
    ca: authority.caPem,
  });
  return { target, endpoint: `127.0.0.1:${httpsPort}`, stop };
}

describe.runIf(hasNginx)('nginx', () => {
  const old = 'TLSv1.2';

  test('that speaks only TLS 1.2 is measured with TLS 1.2', async () => {
    const { target, stop } = await nginxOf(old);
    try {
      const { blocks, facts } = await measureBriefly(target, { directory: server.directory });
      expect(facts.preflight?.sides.comparison.tls?.protocol).toBe(old);
      const secure = blocks.flatMap(({ slots }) => slots.filter(({ arm }) => arm === 'comparison'));
      expect(secure.length).toBeGreaterThan(0);
      for (const { load } of secure) {
        expect(load.errors).toEqual([]);
        expect(load.negotiated).toMatchObject({
          protocol: old,
          cipher: expect.stringMatching(/^TLS_ECDHE_/),
        });
      }
    } finally {
      await stop();
    }
  });

  const asked: [RunRequestInput['tls'], string, RegExp][] = [
    [
      { version: 'TLSv1.3' },
      'tls.version',
      / speaks TLS 1\.2 at most\. Choose TLS 1\.2, or enable 1\.3 on the server\.$/,
    ],
    [{ cipher: 'TLS_AES_128_GCM_SHA256' }, 'tls.cipher', / speaks TLS 1\.2 at most, and TLS_AES_128_GCM/],
    [{ group: 'X25519MLKEM768' }, 'tls.group', / speaks TLS 1\.2 at most, and X25519MLKEM768 needs TLS 1\.3/],
    [{ cipher: 'ECDHE-RSA-ARIA128-GCM-SHA256' }, 'tls.cipher', /“ECDHE-RSA-ARIA128-GCM-SHA256” is unknown/],
  ];
  test('of TLS 1.2 alone refuses what was asked for at its field, and nothing else is said', async () => {
    const { target, endpoint, stop } = await nginxOf(old);
    try {
      for (const [tls, field, said] of asked) {
        const message = expect.stringMatching(said);
        await expect(server.create({ target, tls } satisfies RunRequestInput)).rejects.toMatchObject({
          problem: {
            ...{ code: 'tls_not_offered', status: 422, detail: message },
            advice: expect.not.stringContaining('running'),
            errors: [{ field, message }],
          },
        });
      }
      const asks = preflightRequestSchema.parse({ target, tls: { version: 'TLSv1.3' } });
      const { problem, refused, otherVersion } = await server.api.call(targetEndpoints.preflight, {
        body: asks,
      });
      expect({ field: refused.comparison?.field, otherVersion }).toEqual({
        field: 'tls.version',
        otherVersion: 'TLSv1.2',
      });
      expect(problem).toMatch(new RegExp(`^${endpoint} speaks TLS 1\\.2 at most`));
    } finally {
      await stop();
    }
  });
});
