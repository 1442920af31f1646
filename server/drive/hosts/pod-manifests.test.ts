/** Protects what is asked of a cluster: objects that it takes as they are meant, and nothing of a run in them but its own token. */
import { expect, test } from 'vitest';
import { manifestProblems } from '../../testing/manifest-problems.ts';
import { jobOf, secretOf } from './pod-manifests.ts';

const wanted = {
  ...{ dashboard: '0123456789abcdef', count: 3, cores: 2, image: 'tls-toll:0.1.0' },
  ...{ join: 'tls-toll:7310', fingerprint: 'f'.repeat(64), token: 'e'.repeat(64) },
  ...{ allow: ['staging.example.com:8443'], deadlineS: 1200 },
};
const placed = { namespace: 'load', name: 'tls-toll-0123456789' };

test('the published schemas have nothing against job and Secret, and would notice a misspelled field', () => {
  const job = jobOf(wanted, placed);
  expect(manifestProblems(job)).toEqual([]);
  expect(manifestProblems(secretOf(wanted, placed, 'uid-1'))).toEqual([]);
  const wrong = { ...job, spec: { ...job.spec, completions: '3', ttlSecondsAfterFinish: 60 } };
  expect(manifestProblems(wrong)).toEqual([
    expect.stringContaining('ttlSecondsAfterFinish'),
    expect.stringContaining('/spec/completions'),
  ]);
});

test('a job is suspended, has one pod a node, ends by itself, and does not hold the token', () => {
  const job = jobOf(wanted, placed);
  expect(job.spec).toMatchObject({
    ...{ suspend: true, completionMode: 'Indexed', completions: 3, parallelism: 3 },
    ...{ activeDeadlineSeconds: 1200, ttlSecondsAfterFinished: 60 },
  });
  const pod = job.spec?.template.spec;
  const [apart] = pod?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  expect(apart).toMatchObject({ topologyKey: 'kubernetes.io/hostname' });
  expect(pod?.containers[0]?.args?.join(' ')).toBe(
    `generator --join tls-toll:7310 --key ${wanted.fingerprint} --token-file /var/run/tls-toll/token --name tls-toll-0123456789-$(JOB_COMPLETION_INDEX) --cores 2 --allow staging.example.com:8443`,
  );
  expect(JSON.stringify(job)).not.toContain(wanted.token);
});

test('the Secret holds the token alone and goes with its job', () => {
  expect(secretOf(wanted, placed, 'uid-1')).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'Job', name: placed.name, uid: 'uid-1' }] },
    stringData: { token: wanted.token },
  });
});
