import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { problem } from '../../../../shared/problem.ts';
import { type TestRunWish, writeTestRun } from '../../../export/write-test-run.ts';
import type { Hands } from '../start-crew.ts';
import { judgeTestRun } from './judge-test-run.ts';
import { knowsCluster, kubectl } from './kubectl.ts';

const lookEveryMs = 2000;
/** Of the 1 MiB, the authorities need some. */
const longestScript = 900_000;

/**
 * Pods of k6, made by the k6-operator of a cluster. The manifest is written to a file; where kubectl knows a cluster it is applied,
 * followed, and deleted in the end. Elsewhere somebody else has to apply it.
 * Throws k6_failed; rejects with the signal's reason, after it has deleted what it had made.
 */
export async function startTestRun(
  wish: TestRunWish,
  { file, signal }: { file: string; signal: AbortSignal | undefined },
): Promise<Hands> {
  const { name, script } = wish;
  if (Buffer.byteLength(script) > longestScript) {
    throw problem('k6_cannot', 'The scenario is too large for a ConfigMap of Kubernetes, which holds 1 MiB.');
  }
  const manifest = writeTestRun(wish);
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  const over = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let progress = `apply ${file} in the cluster, because kubectl has no context here`;
  let removal: Promise<void> | null = null;
  let applied = false;

  async function apply(): Promise<void> {
    applied = true;
    const uid = uidOf(await applyAll(manifest, signal));
    await applyAll(writeTestRun(wish, uid), signal);
    progress = 'the k6-operator has not taken up the TestRun';
    void follow();
  }

  async function follow(): Promise<void> {
    while (!over.signal.aborted) {
      try {
        const seen = ['get', 'testruns.k6.io,pods', '--selector', `k6_cr=${name}`, '--output', 'json'];
        const judgement = judgeTestRun(await kubectl(seen, { signal: over.signal }));
        if (judgement.failed) return failed.reject(await faultOf(name, judgement));
        ({ progress } = judgement);
      } catch (error) {
        // The cluster may answer again; pods that stop asking are noticed without it.
        progress = error instanceof Error ? error.message : String(error);
      }
      await pause(lookEveryMs, undefined, { signal: over.signal }).catch(() => {});
    }
  }

  async function remove(): Promise<void> {
    over.abort();
    rmSync(file, { force: true });
    const objects = [`testruns.k6.io/${name}`, `secrets/${name}`, `configmaps/${name}`];
    const deletion = ['delete', ...objects, '--ignore-not-found', '--wait=false'];
    // What is left otherwise has no load: pods end without a desk, and the operator deletes their TestRun, which owns the rest.
    if (applied) await kubectl(deletion).catch(() => kubectl(deletion).catch(() => ''));
  }

  const stop = () => {
    removal ??= remove();
    return removal;
  };
  try {
    if (await knowsCluster(signal)) await apply();
  } catch (error) {
    await stop();
    throw error;
  }
  return { pids: [], failed: failed.promise, describe: () => `: ${progress.replace(/\.$/, '')}`, stop };
}

async function applyAll(manifest: object, signal: AbortSignal | undefined): Promise<string> {
  const input = JSON.stringify(manifest);
  // On the server, because a script can be longer than the annotation that kubectl would otherwise keep it in.
  const how = ['--server-side', '--force-conflicts', '--field-manager', 'tls-toll'];
  return kubectl(['apply', ...how, '--filename', '-', '--output', 'json'], { input, signal });
}

const appliedSchema = z.object({
  items: z.array(z.object({ kind: z.string(), metadata: z.object({ uid: z.string() }) })),
});

/** Of the TestRun, in what `apply` printed. Throws k6_failed. */
function uidOf(printed: string): string {
  const { data } = appliedSchema.safeParse(jsonOf(printed));
  const uid = data?.items.find(({ kind }) => kind === 'TestRun')?.metadata.uid;
  if (uid !== undefined) return uid;
  throw problem('k6_failed', 'kubectl apply did not print the TestRun that it had applied.');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function faultOf(name: string, { why, pod }: { why: string; pod: string | null }): Promise<Error> {
  const log = pod === null ? '' : await kubectl(['logs', pod, '--tail', '5']).catch(() => '');
  const last = log.trim().split('\n').at(-1) ?? '';
  return problem(
    'k6_failed',
    `The TestRun ${name} ended: ${why}${last === '' ? '' : `: ${last.slice(0, 300)}`}.`,
  );
}
