import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import type { RunningCommand } from '../run-command.ts';
import { namespace, openStage, type Stage } from './stage.ts';
import type { RealCluster } from './start-cluster.ts';
import { Over, until } from './start-program.ts';

/** What came of something that was done in a cluster. */
export type Seen = { scene: string; seen: string; seconds: number };

type Scene = (stage: Stage) => Promise<string>;

const scenes: Record<string, Scene> = {
  'run from two pods': measure,
  'run is canceled': cancel,
  'generator is killed': loseProcess,
  'pod is deleted': losePod,
  'image is missing': async (stage) => {
    await stage.restart({ image: '127.0.0.1:1/none:1' });
    const said = await refusalOf(stage, 1);
    await stage.restart();
    return said;
  },
  'no rights': async (stage) => {
    await stage.restart({ user: 'nobody' });
    const said = await refusalOf(stage, 1);
    await stage.restart();
    return said;
  },
  'quota is used up': exceedQuota,
  'fewer nodes than pods': (stage) => refusalOf(stage, 3),
  'dashboard is killed': loseDashboard,
  'node is drained': drainNode,
};

/** One after another; a scene that fails is seen, and the next one is played. */
export async function playScenes(
  cluster: RealCluster,
  directory: string,
  only: string,
  tell: (seen: Seen) => void,
): Promise<void> {
  const stage = await openStage(cluster, directory);
  const played = Object.entries(scenes).filter(([scene]) => scene.includes(only));
  for (const [scene, play] of played) {
    const from = performance.now();
    process.stderr.write(`${scene} …\n`);
    const seen = await play(stage).catch((error: Error) => `FAILED: ${error.message}`);
    tell({ scene, seen, seconds: (performance.now() - from) / 1000 });
  }
}

/** Both pods run, each on a node of its own. */
async function joined(stage: Stage, run: RunningCommand, count = 2): Promise<V1Pod[]> {
  return until(`${count} running pods`, 180, async () => {
    if (run.child.exitCode !== null) throw new Over(run.said().slice(-1000));
    const running = (await stage.pods()).filter(({ status }) => status?.phase === 'Running');
    return running.length === count ? running : null;
  });
}

/** Until load has come from each of them. */
async function loading(stage: Stage, run: RunningCommand, pods: readonly V1Pod[]): Promise<void> {
  await until('load from all pods', 120, async () => {
    if (run.child.exitCode !== null) throw new Over(run.said().slice(-1000));
    return pods.every((pod) => requestsOf(stage, pod) > 20) ? true : null;
  });
}

function requestsOf({ nginx }: Stage, { status }: V1Pod): number {
  return nginx.requestsFrom(status?.podIP ?? '').length;
}

async function nothingLeft(stage: Stage): Promise<string> {
  const from = performance.now();
  await until('no job, pod, or Secret', 60, async () => ((await stage.left()) === 0 ? true : null));
  return `no job, pod, or Secret ${((performance.now() - from) / 1000).toFixed(1)} s later`;
}

async function finished(run: RunningCommand): Promise<string> {
  const code = await run.ended;
  const line = /The load came from (.*?)\.?\n/.exec(run.said())?.[1];
  if (line === undefined) throw new Error(`exit code ${code}: ${run.said().slice(-600)}`);
  return `exit code ${code}, ${line.replaceAll(/tls-toll-\w{10}-/g, 'pod ')}`;
}

async function measure(stage: Stage): Promise<string> {
  const run = stage.compare(2);
  const pods = await joined(stage, run);
  const nodes = new Set(pods.map(({ spec }) => spec?.nodeName));
  const said = await finished(run);
  return `${said}; on ${nodes.size} nodes; ${await nothingLeft(stage)}`;
}

async function cancel(stage: Stage): Promise<string> {
  const run = stage.compare(2);
  await loading(stage, run, await joined(stage, run));
  run.child.kill('SIGINT');
  const code = await run.ended;
  return `exit code ${code}; ${await nothingLeft(stage)}`;
}

async function loseProcess(stage: Stage): Promise<string> {
  const run = stage.compare(2);
  const pods = await joined(stage, run);
  await loading(stage, run, pods);
  const victim = readdirSync('/proc').find(
    (pid) => /^\d+$/.test(pid) && /generator\0--join.*-1\0--cores/s.test(commandOf(pid)),
  );
  process.kill(Number(victim), 'SIGKILL');
  return `${await finished(run)}; ${await nothingLeft(stage)}`;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function losePod(stage: Stage): Promise<string> {
  const run = stage.compare(2);
  const pods = await joined(stage, run);
  await loading(stage, run, pods);
  const name = pods[1]?.metadata?.name ?? '';
  await stage.cluster.core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 });
  return `${await finished(run)}; ${await nothingLeft(stage)}`;
}

/** What it says instead of a result. */
async function refusalOf(stage: Stage, pods: number): Promise<string> {
  const run = stage.compare(pods);
  const code = await run.ended;
  return `exit code ${code}: ${sentenceOf(run)} ${await nothingLeft(stage)}`;
}

async function exceedQuota(stage: Stage): Promise<string> {
  const { core } = stage.cluster;
  const metadata = { name: 'small' };
  await core.createNamespacedResourceQuota({ namespace, body: { metadata, spec: { hard: { pods: '1' } } } });
  await until('a quota that counts', 30, async () => {
    const { status } = await core.readNamespacedResourceQuota({ namespace, ...metadata });
    return status?.hard ?? null;
  });
  try {
    return await refusalOf(stage, 2);
  } finally {
    await core.deleteNamespacedResourceQuota({ namespace, ...metadata });
  }
}

async function loseDashboard(stage: Stage): Promise<string> {
  const run = stage.compare(2);
  const pods = await joined(stage, run);
  await loading(stage, run, pods);
  stage.kill();
  await pause(2000);
  const before = pods.map((pod) => requestsOf(stage, pod));
  await pause(1000);
  const more = pods.reduce((sum, pod, index) => sum + requestsOf(stage, pod) - (before[index] ?? 0), 0);
  const jobs = (await stage.cluster.batch.listNamespacedJob({ namespace })).items.length;
  await run.ended;
  await stage.restart();
  return `${more} requests after 2 s; ${jobs} job left, swept at the next start: ${await nothingLeft(stage)}`;
}

/** Nothing else may have a pod of this run: it is lost for good. */
async function drainNode(stage: Stage): Promise<string> {
  const { core } = stage.cluster;
  const run = stage.compare(2);
  const pods = await joined(stage, run);
  await loading(stage, run, pods);
  const [pod] = pods;
  const node = pod?.spec?.nodeName ?? '';
  const name = pod?.metadata?.name ?? '';
  const { spec = {}, ...rest } = await core.readNode({ name: node });
  await core.replaceNode({ name: node, body: { ...rest, spec: { ...spec, unschedulable: true } } });
  await core.createNamespacedPodEviction({ namespace, name, body: { metadata: { name, namespace } } });
  const code = await run.ended;
  return `exit code ${code}: ${sentenceOf(run)} ${await nothingLeft(stage)}`;
}

/** The last line is advice. */
function sentenceOf(run: RunningCommand): string {
  return run.said().trim().split('\n').at(-2)?.trim() ?? '';
}
