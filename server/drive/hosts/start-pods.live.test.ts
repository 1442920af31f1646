/** Protects generator pods against what a cluster answers: its own words and what to do, and nothing of ours left there. */
import { writeFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type AskedOfCluster,
  type ClusterInTest,
  kubeconfigFor,
  openClusterInTest,
} from '../../testing/cluster-in-test.ts';
import { freePort } from '../../testing/free-port.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { startPods, sweepPods } from './offer-pods.ts';
import { openCluster } from './open-cluster.ts';

const wanted = {
  ...{ dashboard: '0123456789abcdef', count: 2, cores: 1, image: 'tls-toll:0.1.0' },
  ...{ join: 'tls-toll:7310', fingerprint: 'f'.repeat(64), token: 'e'.repeat(64), allow: [], deadlineS: 600 },
};

const closed = await freePort();

let cluster: ClusterInTest | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await cluster?.close();
});

async function openWith(refuse?: Parameters<typeof openClusterInTest>[0]) {
  cluster = await openClusterInTest(refuse);
  vi.stubEnv('KUBECONFIG', cluster.kubeconfig);
  return { server: cluster, opened: await openCluster() };
}

const calls = (asked: readonly AskedOfCluster[]) =>
  asked
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replace(/tls-toll-\w+/, 'NAME')}`);
const jobs = '/apis/batch/v1/namespaces/load/jobs';

test('a suspended job comes first, then its Secret, then its release, and its end is one call', async () => {
  const { server, opened } = await openWith();
  const pods = await startPods(opened, wanted);
  expect(pods.names.map((name) => name.replace(/-\w{10}-/, '-NAME-'))).toEqual([
    'tls-toll-NAME-0',
    'tls-toll-NAME-1',
  ]);
  await pods.end();
  expect(calls(server.asked)).toEqual([
    `POST ${jobs}`,
    'POST /api/v1/namespaces/load/secrets',
    `PATCH ${jobs}/NAME`,
    `DELETE ${jobs}/NAME`,
  ]);
  expect(server.asked.find(({ method }) => method === 'PATCH')?.body).toEqual({ spec: { suspend: false } });
  expect(server.asked.at(-1)?.query.get('propagationPolicy')).toBe('Background');
});

test.each([
  [
    'POST',
    '/jobs',
    { status: 403, message: 'jobs.batch is forbidden: User "u" cannot create resource "jobs"' },
    'cluster_refused',
    /refused to create a job \(jobs.batch is forbidden: User "u" cannot create resource "jobs"\)\. Grant the role/,
  ],
  [
    'POST',
    '/jobs',
    { status: 403, message: 'jobs "x" is forbidden: exceeded quota: small' },
    'cluster_refused',
    /exceeded quota: small\)\. Ask for fewer pods/,
  ],
  ['POST', '/jobs', { status: 401 }, 'cluster_refused', /status 401\)\. Renew the credentials/],
  [
    'POST',
    '/jobs',
    { status: 404, message: 'namespaces "load" not found' },
    'cluster_refused',
    /Make the namespace load/,
  ],
  [
    'POST',
    '/secrets',
    { status: 403, message: 'secrets is forbidden' },
    'cluster_refused',
    /refused to create a secret \(secrets is forbidden\)/,
  ],
] as const)('%s %s that is answered with %j', async (method, end, refusal, code, words) => {
  const { server, opened } = await openWith((asked) =>
    asked.method === method && asked.path.endsWith(end) ? refusal : null,
  );
  await expect(startPods(opened, wanted)).rejects.toMatchObject({
    problem: { code, detail: expect.stringMatching(words) },
  });
  // Objects that were created before the failure are deleted.
  expect(calls(server.asked).at(-1)).toBe(end === '/secrets' ? `DELETE ${jobs}/NAME` : `POST ${jobs}`);
});

const pod = (status: object) => ({ metadata: { name: 'gen-0', uid: 'pod-1' }, status });
const waiting = (reason: string, message: string) =>
  pod({ containerStatuses: [{ state: { waiting: { reason, message } } }] });

test.each([
  [
    'pods',
    waiting('ImagePullBackOff', 'Back-off pulling image "nowhere:1"'),
    /image of the pod gen-0 cannot be pulled: Back-off pulling image "nowhere:1"\. Check TLS_TOLL_PODS/,
  ],
  [
    'pods',
    pod({
      containerStatuses: [
        { state: { terminated: { exitCode: 1, reason: 'Error', message: 'it has another token\n' } } },
      ],
    }),
    /ended with code 1: it has another token\./,
  ],
  [
    'events',
    { reason: 'FailedCreate', message: 'pods "gen-0" is forbidden: exceeded quota: small' },
    /does not create the pods: pods "gen-0" is forbidden: exceeded quota: small\. Ask for fewer/,
  ],
  [
    'jobs',
    {
      status: {
        conditions: [
          {
            type: 'Failed',
            status: 'True',
            reason: 'DeadlineExceeded',
            message: 'Job was active longer than specified deadline',
          },
        ],
      },
    },
    /Job was active longer/,
  ],
] as const)('%s that say they will not run', async (kind, object, words) => {
  const { server, opened } = await openWith();
  const pods = await startPods(opened, wanted);
  server.tell(kind, object);
  await expect(pods.refused).rejects.toMatchObject({
    problem: { code: 'pods_refused', detail: expect.stringMatching(words) },
  });
  await pods.end();
});

test('a pod without a place is waited for, also when a watch ends, and said meanwhile', async () => {
  const { server, opened } = await openWith();
  const pods = await startPods(opened, wanted);
  const [message, type] = ['0/2 nodes are available: 2 Insufficient cpu', 'PodScheduled'];
  const watching = () => server.asked.filter(({ query }) => query.get('watch') === 'true').length;
  await untilAsync(
    async () => watching(),
    (count) => count === 3,
  );
  server.endWatches();
  server.tell('pods', pod({ conditions: [{ type, status: 'False', reason: 'Unschedulable', message }] }));
  await untilAsync(
    async () => pods.currentProblem(),
    (words) => /no place for the pod gen-0: 0\/2 nodes/.test(words),
  );
  server.tell('pods', pod({ conditions: [{ type, status: 'True' }] }));
  await untilAsync(
    async () => pods.currentProblem(),
    (words) => words === '',
  );
  await pods.end();
});

test('without the right to look, the pods are refused in the cluster’s words', async () => {
  const { opened } = await openWith(({ method, path }) =>
    method === 'GET' && path.endsWith('/events') ? { status: 403, message: 'events is forbidden' } : null,
  );
  const pods = await startPods(opened, wanted);
  await expect(pods.refused).rejects.toMatchObject({
    problem: {
      code: 'cluster_refused',
      detail: expect.stringContaining('refused to list events (events is forbidden)'),
    },
  });
  await pods.end();
});

test('what a dashboard left behind is removed by its label', async () => {
  const { server, opened } = await openWith();
  server.tell('jobs', { metadata: { name: 'tls-toll-old' } });
  expect(await sweepPods(opened, 'abc')).toBe(1);
  expect(server.asked[0]?.query.get('labelSelector')).toBe('tls-toll/dashboard=abc');
  expect(calls(server.asked)).toEqual([`DELETE ${jobs}/NAME`]);
});

test.each([
  [
    'a kubeconfig without a context',
    kubeconfigFor(`https://127.0.0.1:${closed}`, { context: 'gone' }),
    /no current context/,
  ],
  ['a kubeconfig that is none', '{', /cannot be read/],
  [
    'a cluster that does not listen',
    kubeconfigFor(`https://127.0.0.1:${closed}`),
    /is not listening\. Check the server/,
  ],
])('%s is said', async (_, text, words) => {
  cluster = await openClusterInTest();
  writeFileSync(cluster.kubeconfig, text);
  vi.stubEnv('KUBECONFIG', cluster.kubeconfig);
  const starting = async () => startPods(await openCluster(), wanted);
  await expect(starting()).rejects.toMatchObject({
    problem: { code: 'cluster_unreachable', detail: expect.stringMatching(words) },
  });
});
