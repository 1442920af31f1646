import { setTimeout as pause } from 'node:timers/promises';
import type {
  CoreV1Event,
  KubernetesListObject,
  KubernetesObject,
  V1Job,
  V1Pod,
  Watch,
} from '@kubernetes/client-node';

/** Called with each object as it is now, and when it is deleted. */
type Heard<Kind> = (object: Kind, deleted: boolean) => void;
export type Watched = { job: Heard<V1Job>; pod: Heard<V1Pod>; event: Heard<CoreV1Event> };

type Followed = {
  watch: Watch;
  path: string;
  query: Record<string, string>;
  signal: AbortSignal;
};

/** Pause between two watches, for a server that ends each one at once. */
const againMs = 1000;

/**
 * Lists the objects, then watches for changes from the version of the list, as Kubernetes clients do. Lists again when the watch ends or
 * its version is too old. Resolves when the signal is aborted; rejects when listing fails.
 */
export async function watchList<Kind extends KubernetesObject>(
  { watch, path, query, signal }: Followed,
  { list, heard }: { list(): Promise<KubernetesListObject<Kind>>; heard: Heard<Kind> },
): Promise<void> {
  while (!signal.aborted) {
    const { items, metadata } = await list();
    if (signal.aborted) return;
    for (const item of items) heard(item, false);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const from = { ...query, resourceVersion: metadata?.resourceVersion };
    const watching = await watch.watch(
      path,
      from,
      (type: string, object: Kind) => {
        if (signal.aborted) return;
        if (type === 'ERROR') end();
        else if (type !== 'BOOKMARK') heard(object, type === 'DELETED');
      },
      () => end(),
    );
    const leave = () => watching.abort();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    await ended;
    watching.abort();
    signal.removeEventListener('abort', leave);
    await pause(againMs, undefined, { signal }).catch(() => {});
  }
}
