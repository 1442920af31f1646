import { z } from 'zod';

/** What `kubectl get testruns.k6.io,pods -o json` tells of a TestRun. */
const seenSchema = z.object({
  items: z.array(
    z.object({
      kind: z.string(),
      metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
      status: z
        .object({
          stage: z.string().optional(),
          phase: z.string().optional(),
          conditions: z
            .array(z.object({ type: z.string(), status: z.string(), message: z.string().default('') }))
            .default([]),
          containerStatuses: z
            .array(
              z.object({
                state: z
                  .object({
                    waiting: z
                      .object({ reason: z.string().default(''), message: z.string().default('') })
                      .optional(),
                  })
                  .default({}),
              }),
            )
            .default([]),
        })
        .prefault({}),
    }),
  ),
});
type Seen = z.infer<typeof seenSchema>['items'][number];

export type Judgement =
  /** How far its pods are, in a few words. */
  | { failed: false; progress: string }
  /** Why it can measure no more; with the pod whose log may tell more. */
  | { failed: true; why: string; pod: string | null };

const hopeless = ['ErrImageNeverPull', 'ImagePullBackOff', 'InvalidImageName', 'CreateContainerConfigError'];
/** Before its pods have ended. */
const ongoing = ['', 'initialization', 'initialized', 'created', 'started'];

/** Of a TestRun that was applied, and its pods. */
export function judgeTestRun(printed: string): Judgement {
  const { items } = seenSchema.parse(JSON.parse(printed));
  const pods = items.filter(({ kind }) => kind === 'Pod');
  const ended = pods.find(
    ({ status, metadata }) =>
      status.phase === 'Failed' || (status.phase === 'Succeeded' && metadata.labels.runner === 'true'),
  );
  if (ended !== undefined) {
    return { failed: true, why: `its pod ${ended.metadata.name} ended`, pod: ended.metadata.name };
  }
  const stuck = pods.find((pod) => hopeless.includes(waitingOf(pod)?.reason ?? ''));
  if (stuck !== undefined) {
    const { reason, message } = waitingOf(stuck) ?? { reason: '', message: '' };
    const why = `its pod ${stuck.metadata.name} cannot start: ${reason}${message === '' ? '' : `, ${message}`}`;
    return { failed: true, why, pod: null };
  }
  const run = items.find(({ kind }) => kind === 'TestRun');
  if (run === undefined) return { failed: true, why: 'it was deleted', pod: null };
  const { stage = '' } = run.status;
  if (!ongoing.includes(stage)) return { failed: true, why: `its stage is ${stage}`, pod: null };
  return { failed: false, progress: pods.length === 0 ? unseen(stage) : pods.map(progressOf).join('; ') };
}

function unseen(stage: string): string {
  return stage === ''
    ? 'the k6-operator has not taken up the TestRun'
    : `the TestRun has no pods, and its stage is ${stage}`;
}

function progressOf(pod: Seen): string {
  const unscheduled = pod.status.conditions.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  );
  const why = unscheduled?.message || waitingOf(pod)?.reason || '';
  return `pod ${pod.metadata.name} is ${pod.status.phase ?? 'unknown'}${why === '' ? '' : ` (${why})`}`;
}

function waitingOf({ status }: Seen): { reason: string; message: string } | undefined {
  return status.containerStatuses.flatMap(({ state }) => state.waiting ?? [])[0];
}
