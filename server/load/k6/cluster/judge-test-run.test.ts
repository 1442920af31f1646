/** Protects what is made of a cluster's answer: pods that will never measure end the run with their reason, and waiting ones are described. */
import { expect, test } from 'vitest';
import { judgeTestRun } from './judge-test-run.ts';

const run = (stage?: string) => ({ kind: 'TestRun', metadata: { name: 'a' }, status: { stage } });
const pod = (status: object, labels = {}) => ({ kind: 'Pod', metadata: { name: 'a-1-x', labels }, status });
const waits = (reason: string, message?: string) => ({
  phase: 'Pending',
  containerStatuses: [{ state: { waiting: { reason, message } } }],
});
const judge = (...items: object[]) => judgeTestRun(JSON.stringify({ kind: 'List', items }));

test.each([
  ['nothing of it', [], 'it was deleted', null],
  ['an operator that gave up', [run('error')], 'its stage is error', null],
  ['an end of its own', [run('finished')], 'its stage is finished', null],
  ['a pod that failed', [run('started'), pod({ phase: 'Failed' })], 'its pod a-1-x ended', 'a-1-x'],
  [
    'a runner that is done',
    [run('started'), pod({ phase: 'Succeeded' }, { runner: 'true' })],
    'its pod a-1-x ended',
    'a-1-x',
  ],
  [
    'an image that is not there',
    [run('created'), pod(waits('ImagePullBackOff', 'no such tag'))],
    'its pod a-1-x cannot start: ImagePullBackOff, no such tag',
    null,
  ],
])('%s ends it', (_, items, why, podWithLog) => {
  expect(judge(...items)).toEqual({ failed: true, why, pod: podWithLog });
});

test.each([
  ['no operator', [run()], 'the k6-operator has not taken up the TestRun'],
  ['no pods', [run('initialization')], 'the TestRun has no pods, and its stage is initialization'],
  ['an initializer that is done', [run('created'), pod({ phase: 'Succeeded' })], 'pod a-1-x is Succeeded'],
  [
    'a pod without a node',
    [
      run('created'),
      pod({
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', message: '0/3 nodes are available' }],
      }),
    ],
    'pod a-1-x is Pending (0/3 nodes are available)',
  ],
  [
    'a pod that starts',
    [run('created'), pod(waits('ContainerCreating'))],
    'pod a-1-x is Pending (ContainerCreating)',
  ],
])('%s is waited for', (_, items, progress) => {
  expect(judge(...items)).toEqual({ failed: false, progress });
});
