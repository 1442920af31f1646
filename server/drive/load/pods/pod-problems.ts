import type { CoreV1Event, V1ContainerStatus, V1Job, V1Pod } from '@kubernetes/client-node';
import { shortened } from './cluster-words.ts';

/** Why pods do not run. One that is not final may pass: a node may be added, a registry may answer again. */
export type PodProblem = { words: string; advice: string; final: boolean };

/** Reasons of a waiting container that stay until somebody changes something. */
const image = ['ImagePullBackOff', 'ErrImageNeverPull', 'InvalidImageName', 'ErrImagePull'];
const container = ['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'];
/** Exit codes from here on mean that a signal killed the container. Kubernetes starts it again. */
const firstSignal = 128;

export function problemOfPod(pod: V1Pod): PodProblem | null {
  const name = pod.metadata?.name ?? 'a pod';
  const [status] = pod.status?.containerStatuses ?? [];
  const waiting = problemOfContainer(name, status);
  if (waiting !== null) return waiting;
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return null;
  return {
    words: `The cluster has no place for the pod ${name}: ${shortened(scheduled.message ?? scheduled.reason ?? '')}.`,
    advice: 'Ask for fewer pods or processes, or add a node: each pod needs one of its own.',
    final: false,
  };
}

function problemOfContainer(name: string, status: V1ContainerStatus | undefined): PodProblem | null {
  const { waiting, terminated } = status?.state ?? {};
  const ended = terminated ?? status?.lastState?.terminated;
  if (waiting?.reason !== undefined && image.includes(waiting.reason)) {
    return {
      words: `The image of the pod ${name} cannot be pulled: ${said(waiting)}.`,
      advice: 'Check TLS_TOLL_PODS, and that the nodes may pull it.',
      // Kubernetes tries again. ImagePullBackOff says that it failed repeatedly.
      final: waiting.reason !== 'ErrImagePull',
    };
  }
  if (waiting?.reason !== undefined && container.includes(waiting.reason)) {
    return {
      words: `The pod ${name} cannot start: ${said(waiting)}.`,
      advice: 'Check the image in TLS_TOLL_PODS.',
      final: true,
    };
  }
  if (ended === undefined || ended.exitCode === 0 || ended.exitCode >= firstSignal) return null;
  return {
    words: `The generator in the pod ${name} ended with code ${ended.exitCode}: ${said(ended)}.`,
    advice: 'Check that TLS_TOLL_PODS is the image of this version.',
    final: true,
  };
}

/** A quota or an admission rule. No pod exists then, so only the job has an event. */
export function problemOfEvent({ reason, message }: CoreV1Event): PodProblem | null {
  if (reason !== 'FailedCreate') return null;
  const words = shortened(message ?? '');
  return {
    words: `The cluster does not create the pods: ${words}.`,
    advice: /quota/.test(words)
      ? 'Ask for fewer pods or processes, or raise the quota.'
      : 'Ask whoever runs the cluster to permit them.',
    final: true,
  };
}

/** The job has failed, for example at its deadline. */
export function problemOfJob({ status }: V1Job): PodProblem | null {
  const failed = status?.conditions?.find(({ type, status: is }) => type === 'Failed' && is === 'True');
  if (failed === undefined) return null;
  return {
    words: `The cluster ended the pods: ${shortened(failed.message ?? failed.reason ?? '')}.`,
    advice: 'Read the logs of its pods.',
    final: true,
  };
}

function said({ reason, message }: { reason?: string; message?: string }): string {
  return shortened(message ?? reason ?? 'no reason was given');
}
