/** Protects what is wrong with a side before anything is queued: one sentence at its own field, with what the other end offers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measurementEndpoints } from '../../../../shared/api/measurement-endpoints.ts';
import type { RunRequestInput, SidesRequestInput } from '../../../../shared/kinds/comparison/run-request.ts';
import type { ServerName } from '../../../../shared/target/server-options.ts';
import { openChain } from '../../../targets/certificates/certificate-authority.ts';
import { findServers } from '../../../targets/managed/find-servers.ts';
import { hasNginx, startNginxInTest } from '../../../testing/nginx-in-test.ts';
import { openServerInTest, type ServerInTest } from '../../../testing/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await openServerInTest();
});
afterAll(() => server.close());

const has = (name: ServerName) => findServers().some((each) => each.name === name && each.installed);

async function expectRefused(request: RunRequestInput, code: string, field: string, said: RegExp) {
  const message = expect.stringMatching(said);
  await expect(server.create(request)).rejects.toMatchObject({
    problem: { code, errors: expect.arrayContaining([{ field, message }]) },
  });
  const { measurements } = await server.api.call(measurementEndpoints.listMeasurements, { query: {} });
  expect(measurements).toEqual([]);
}

type Row = [name: string, side: SidesRequestInput['comparison'], code: string, field: string, said: RegExp];

const notOffered = 'tls_not_offered';
const ofTls: Row[] = [
  ['a group that nobody knows', { tls: { group: 'X25520' } }, notOffered, 'tls.group', /“X25520” is unknown/],
  [
    'a group that is no group of TLS 1.2',
    { tls: { version: 'TLSv1.2', group: 'X25519MLKEM768' } },
    notOffered,
    'tls.group',
    /not “X25519MLKEM768”.* offers X25519, P-256, /,
  ],
  [
    'a suite that nobody knows',
    { tls: { cipher: 'NONSENSE' } },
    notOffered,
    'tls.cipher',
    /“NONSENSE” is unknown/,
  ],
  [
    'a suite of another kind of key',
    { tls: { cipher: 'ECDHE-RSA-AES128-GCM-SHA256' } },
    notOffered,
    'tls.cipher',
    /does not accept the suite ECDHE-RSA-\S+\. The server offers ECDHE-ECDSA-AES128-GCM-SHA256, /,
  ],
  [
    'compressed certificates in a version that has none',
    { tls: { version: 'TLSv1.2', certificateCompression: 'zlib' } },
    notOffered,
    'tls.certificateCompression',
    /needs TLS 1\.3/,
  ],
  [
    'a suite of another version',
    { tls: { version: 'TLSv1.2', cipher: 'TLS_AES_128_GCM_SHA256' } },
    notOffered,
    'tls.cipher',
    /is not available in TLS 1\.2/,
  ],
];

describe.each(['storefront', 'node'] as const)('%s', (target) => {
  test.each(ofTls)('%s is refused at the field of its side', async (_, side, code, field, said) => {
    const comparison = { transport: 'https', ...side } as const;
    await expectRefused({ target, sides: { comparison } }, code, `sides.comparison.${field}`, said);
  });

  test('what both sides ask for is refused at the field that both share', async () => {
    await expectRefused(
      { target, tls: { group: 'MLKEM512' } },
      notOffered,
      'tls.group',
      / the group MLKEM512\./,
    );
  });
});

const ofServers: [...Row, target: ServerName][] = [
  [
    'a group that its library lacks',
    { tls: { group: 'X25519MLKEM768' } },
    ...([
      notOffered,
      'tls.group',
      /^nginx \S+ \(OpenSSL 3\.0\.\d+\) does not accept .*offers X25519, P-256, and P-384\.$/,
    ] as const),
    'nginx',
  ],
  [
    'a key that its library lacks',
    { target: { key: 'ML-DSA-44' } },
    ...(['invalid_request', 'target.key', /cannot use a key of ML-DSA-44\. Use P-256, /] as const),
    'nginx',
  ],
  [
    'kernel TLS on a kernel without it',
    { target: { kTls: true } },
    ...(['invalid_request', 'target.kTls', /lists no tls|not set up for kTLS/] as const),
    'node',
  ],
  [
    'a key that needs another version',
    { tls: { version: 'TLSv1.2' }, target: { key: 'ML-DSA-65' } },
    ...([notOffered, 'tls.version', /A key of ML-DSA-65 needs TLS 1\.3/] as const),
    'node',
  ],
  [
    'compressed certificates of a server that sends them as they are',
    { tls: { certificateCompression: 'zlib' } },
    ...([notOffered, 'tls.certificateCompression', /^Go .* cannot compress its certificates/] as const),
    'go',
  ],
  [
    'compressed certificates with a key whose certificates OpenSSL does not compress',
    { tls: { certificateCompression: 'zlib' }, target: { key: 'ML-DSA-44' } },
    ...([notOffered, 'tls.certificateCompression', /a key of ML-DSA-44/] as const),
    'node',
  ],
  [
    'a suite that Go does not have',
    { tls: { cipher: 'ECDHE-ECDSA-AES128-CCM' } },
    ...([notOffered, 'tls.cipher', /^Go .* does not accept the suite/] as const),
    'go',
  ],
  [
    'an address, where a server is started',
    { target: { origin: 'https://127.0.0.1:8443' } },
    ...(['invalid_request', 'target.origin', /needs a running target/] as const),
    'node',
  ],
];

test.each(ofServers)('%s is refused at the field of its side', async (_, side, code, field, said, target) => {
  if (!has(target)) return;
  const comparison = { transport: 'https', ...side } as const;
  await expectRefused({ target, sides: { comparison } }, code, `sides.comparison.${field}`, said);
});

test('a server on one side of the storefront is refused', async () => {
  const sides = { comparison: { target: { server: 'node' } } } as const;
  await expectRefused(
    { sides },
    'invalid_request',
    'sides.comparison.target.server',
    /needs a server that is started/,
  );
});

describe.runIf(hasNginx)('a running nginx', () => {
  /** With a chain of which it sends the last certificate alone. */
  async function withoutIntermediates() {
    const { certPem, caPem, keyPem, ...rest } = await openChain(server.directory, 'P-256', 1);
    const [leaf] = certPem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n/g) ?? [];
    return { caPem, authority: { ...rest, caPem, keyPem, certPem: leaf ?? '' } };
  }

  const rows: [
    name: string,
    side: SidesRequestInput['comparison'],
    code: string,
    field: string,
    said: RegExp,
  ][] = [
    [
      'HTTP/2, which it does not speak',
      { transport: 'h2' },
      ...([notOffered, 'sides.comparison.transport', /does not offer HTTP\/2 over TLS/] as const),
    ],
    [
      'a group that it does not have',
      { tls: { group: 'X25519MLKEM768' } },
      ...([
        notOffered,
        'sides.comparison.tls.group',
        /does not accept .*The server offers X25519, P-256, /,
      ] as const),
    ],
    [
      'a version that it does not speak',
      { tls: { version: 'TLSv1.3' } },
      ...([notOffered, 'sides.comparison.tls.version', /speaks TLS 1\.2 at most/] as const),
    ],
  ];
  test.each(rows)('is not asked for %s', async (_, side, code, field, said) => {
    const { authority, caPem } = await withoutIntermediates();
    const protocols = side?.tls?.version === undefined ? undefined : 'TLSv1.2';
    const { httpsPort, stop } = await startNginxInTest(
      authority,
      ['https'],
      protocols === undefined ? {} : { protocols },
    );
    try {
      const target = { kind: 'origins', https: `https://127.0.0.1:${httpsPort}`, ca: caPem } as const;
      const tls = { verify: false };
      const sides = {
        baseline: { transport: 'https' },
        comparison: { transport: 'https', ...side },
      } as const;
      await expectRefused({ target, tls, sides }, code, field, said);
    } finally {
      await stop();
    }
  });

  test('that leaves an intermediate certificate out is not trusted', async () => {
    const { authority, caPem } = await withoutIntermediates();
    const { httpsPort, stop } = await startNginxInTest(authority, ['https']);
    try {
      const target = { kind: 'origins', https: `https://127.0.0.1:${httpsPort}`, ca: caPem } as const;
      const sides = { baseline: { transport: 'https' } } as const;
      const said = /signed by “TLS Toll P-256 intermediate 1”, which is not the CA that you gave/;
      await expectRefused({ target, sides }, 'target_unreachable', 'target.https', said);
    } finally {
      await stop();
    }
  });
});
