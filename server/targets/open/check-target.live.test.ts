/** Protects what is trusted for one run only, and the twin that a target names. */
import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import type { Arm } from '../../../shared/base/transport.ts';
import { pathScenario } from '../../../shared/scenario/scenario.ts';
import { type Listener, originsTargetSchema } from '../../../shared/target/target.ts';
import { patienceMs } from '../../testing/patience.ts';
import {
  checkOf,
  expectProblem,
  httpAt,
  httpsAt,
  issueSelfSigned,
  page,
  serveHttp,
  serveHttps,
  shop,
  shopCertificate,
} from '../../testing/preflight-in-test.ts';
import { checkTarget } from './check-once.ts';

const target = originsTargetSchema.parse({
  kind: 'origins',
  http: 'http://127.0.0.1:8080',
  https: 'https://127.0.0.1:8443',
});
const options = {
  scenario: pathScenario(['/']),
  tls: defaultTlsProfile,
  connectionPolicy: 'keep-alive',
  timeoutMs: patienceMs,
} as const;

test('the one certificate that is trusted by its fingerprint is accepted, whatever its name and date, and no other', async () => {
  const issued = await issueSelfSigned('other.test');
  const https = httpsAt(await serveHttps(shop, issued), null);
  const { fingerprint256 } = new X509Certificate(issued.cert);
  const baseline = httpAt(await serveHttp());
  const asked = (listeners: Record<Arm, Listener>) => checkTarget(target, listeners, options);
  const refused = await asked({ baseline, comparison: https, twin: baseline });
  expect(refused).toMatchObject({ ok: false, untrusted: fingerprint256 });

  const trusted = await asked({ baseline, comparison: { ...https, trust: fingerprint256 }, twin: baseline });
  expect(trusted).toMatchObject({ ok: true, untrusted: null });
  expect(checkOf(trusted, 'comparison', 'certificate').message).toMatch(/^Trusted for this run/);

  const trust = new X509Certificate(shopCertificate.cert).fingerprint256;
  const other = await asked({ baseline, comparison: { ...https, trust }, twin: baseline });
  expectProblem(other, 'comparison', 'certificate', /not the one that you trusted: its SHA-256 is/);
  expect(other.untrusted).toBe(fingerprint256);
});

test('a server without the version of TLS that was asked for leads to the other one', async () => {
  const older = httpsAt(await serveHttps(shop, { ...shopCertificate, maxVersion: 'TLSv1.2' }));
  const baseline = httpAt(await serveHttp());
  const listeners = { baseline, comparison: older, twin: baseline };
  const asked = { ...options, tls: { ...defaultTlsProfile, version: 'TLSv1.3' } } as const;
  const checked = await checkTarget(target, listeners, asked);
  const wayOut = {
    refused: { baseline: null, comparison: { field: 'tls.version' } },
    otherVersion: 'TLSv1.2',
    untrusted: null,
  };
  expect(checked).toMatchObject({ ok: false, ...wayOut });
  const any = await checkTarget(target, listeners, options);
  expect(any, 'nothing was asked for').toMatchObject({
    ok: true,
    refused: { baseline: null, comparison: null },
    otherVersion: null,
  });
});

test('a named twin that serves something else is refused as such', async () => {
  const [baseline, comparison] = [httpAt(await serveHttp()), httpsAt(await serveHttps())];
  const listeners = { baseline, comparison, twin: httpAt(await serveHttp(page('Another shop'.repeat(9)))) };
  const named = { ...target, twin: 'http://127.0.0.1:8081' };
  const checked = await checkTarget(named, listeners, options);
  expect(checked).toMatchObject({ ok: false, twinProblem: expect.stringMatching(/^The control differs /) });
  expect(checked.problem).toBe(checked.twinProblem);
  const unnamed = await checkTarget(target, listeners, options);
  expect(unnamed, 'a listener that nobody called a control is not looked at').toMatchObject({ ok: true });
});
