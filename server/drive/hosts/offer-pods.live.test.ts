/** Protects the token of generator pods: it opens the pool of their run alone, and nothing once the run has ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openOwnIdentity } from '../../targets/certificates/certificate-authority.ts';
import { openClusterInTest } from '../../testing/cluster-in-test.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { serveGeneratorHosts } from './generator-hosts.ts';
import { joinDashboard } from './join-dashboard.ts';
import { offerPods } from './offer-pods.ts';

test('pods join with the token of their Secret, are nobody else’s, and are sent away at the end', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-pods-'));
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  opened.defer(async () => rmSync(directory, { recursive: true }));
  const cluster = opened.adopt(await openClusterInTest(), (each) => each.close());
  vi.stubEnv('KUBECONFIG', cluster.kubeconfig);
  opened.defer(() => void vi.unstubAllEnvs());
  const identity = await openOwnIdentity(join(directory, 'key.pem'), 'TLS Toll generators');
  const hosts = await serveGeneratorHosts({
    ...{ host: '127.0.0.1', port: 0, token: 'standing', identity, version: '0.1.0', own: () => [] },
  });
  opened.defer(hosts.close);
  const { fingerprint } = identity;
  const offered = { image: 'tls-toll:0.1.0', most: 10, join: 'toll:7310', fingerprint, dashboard: 'abc' };
  const offer = offerPods(hosts, offered);
  const pods = await offer.start({ count: 1, cores: 1, allow: ['10.1.2.3:80'], deadlineS: 60 });
  expect(cluster.asked[0]?.query.get('labelSelector')).toBe('tls-toll/dashboard=abc');
  const secret = cluster.asked.find(({ path }) => path.endsWith('/secrets'))?.body;
  const { token } = (secret as { stringData: { token: string } }).stringData;
  const stop = new AbortController();
  opened.defer(() => stop.abort());
  const joining = joinDashboard({
    at: { address: '127.0.0.1', port: hosts.port, fingerprint, name: 'toll' },
    ...{ token, version: '0.1.0', name: pods.names[0] ?? '', cores: 1, allow: [] },
    ...{ lookUp: async () => [], signal: stop.signal, say: () => {} },
  });
  await untilAsync(
    async () => pods.pool.free().map(({ name }) => name),
    (names) => names.length === 1,
  );
  expect(hosts.list()).toHaveLength(1);
  expect(hosts.free()).toEqual([]);
  await pods.end();
  await expect(joining).rejects.toMatchObject({ problem: { code: 'join_refused' } });
  expect(cluster.asked.at(-1)?.method).toBe('DELETE');
});
