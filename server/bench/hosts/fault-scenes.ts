import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ProblemError } from '../../../shared/base/problem.ts';
import { capsSchema } from '../../../shared/target/permitted-target.ts';
import { originsTargetSchema } from '../../../shared/target/target.ts';
import { saturatedIn } from '../../../shared/words/host-words.ts';
import type { HostsInTest } from '../../testing/hosts-in-test.ts';
import { type MeasuredBriefly, measureBriefly } from '../../testing/measure-briefly.ts';
import { untilAsync } from '../../testing/until-async.ts';
import { type FaultStage, treeOf, untilGone } from './fault-stage.ts';
import { makeTenth } from './limited-group.ts';
import { seeDashboardDie } from './lost-dashboard.ts';

const mostPerS = 2000;
const connections = 12;
/** Two epochs that last long enough for something to happen in them. */
const plan = { epochs: { minimum: 2, maximum: 2 }, lockstepMs: 4000, maximumMs: 4000 };

/** Each resolves to what was seen. */
export const faultScenes: Record<string, (stage: FaultStage) => Promise<string>> = {
  'generator is killed, and is back': (stage) =>
    withFault(stage, async () => {
      killSecond(stage);
      stage.hosts.restart(1);
    }),
  'generator is killed, and stays away': (stage) => withFault(stage, async () => killSecond(stage)),
  'link is down for 3 s': (stage) =>
    withFault(stage, async ({ second }) => {
      const { target } = stage.hosts;
      target.run('ip', 'link', 'set', second.host.link, 'down');
      await pause(3000);
      target.run('ip', 'link', 'set', second.host.link, 'up');
    }),
  'host is stopped for 5 s': (stage) =>
    withFault(stage, async ({ pids }) => {
      const stopped = pids();
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await pause(5000);
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }),
  'clock of a host is set 5 s ahead': async (stage) => {
    const clock = join(stage.directory, 'clock');
    writeFileSync(clock, '+0');
    await restartSecond(stage, withClock(clock));
    const seen = await withFault(stage, async () => writeFileSync(clock, '+5'));
    const [, second] = stage.hosts.pool.list();
    return `${seen}; its clock is ${second?.clock?.offsetMs} ms ahead`;
  },
  'host has a tenth of a core': async (stage) => {
    const [, second] = stage.hosts.generators;
    const group = makeTenth(treeOf(second?.running.child.pid));
    try {
      // Beyond what so little of a core can send.
      return await withFault(stage, async () => {}, 100_000);
    } finally {
      group.remove();
    }
  },
  'dashboard is killed': seeDashboardDie,
};

type Second = { second: HostsInTest['generators'][number]; pids(): number[] };

/** Of a run in which something happens once both hosts load: how it ended, and what the log of the target has of it. */
async function withFault(
  stage: FaultStage,
  happen: (second: Second) => Promise<void>,
  requestsPerS = mostPerS,
): Promise<string> {
  const { hosts, directory } = stage;
  const [first, second] = hosts.generators as [Second['second'], Second['second']];
  const sentBy = (host: Second['second']) => hosts.nginx.requestsFrom(host.host.address);
  const before = [first, second].map((each) => sentBy(each).length);
  const isLoading = () =>
    [first, second].every((each, place) => sentBy(each).length > 300 + (before[place] ?? 0));
  const measuring = measureBriefly(originsTargetSchema.parse(hosts.origins), {
    ...{ directory, secrets: { agent_token: hosts.agent.token }, plan, generatorHosts: hosts.pool },
    asked: { generatorHosts: 2, users: connections },
    permits: async () => [
      { host: hosts.target.address, caps: capsSchema.parse({ requestsPerS, bytes: 1e12 }) },
    ],
  }).catch((error: unknown) => error as Error);
  let over = false;
  void measuring.then(() => {
    over = true;
  });
  await untilAsync(async () => over || isLoading(), Boolean);
  if (over) throw new Error(`The run ended before anything happened: ${await measuring}`);
  await happen({ second, pids: () => treeOf(second.running.child.pid) });
  const happenedAt = Date.now();
  const measured = await measuring;
  const gone = await untilGone(hosts);
  const logged = [first, second].map((each, place) => sentBy(each).slice(before[place]));
  const joinedAt =
    hosts.pool.list().find(({ name }) => name === 'gen-2')?.joinedAt ?? Number.POSITIVE_INFINITY;
  // Nothing but what was answered as the host was lost, or is loaded by its next taking.
  const early = (logged[1] ?? []).filter((s) => 1000 * s > happenedAt && 1000 * s < joinedAt).length;
  return [
    endingOf(
      measured,
      logged.map(({ length }) => length),
    ),
    ...(joinedAt > happenedAt && Number.isFinite(joinedAt)
      ? [
          `it joined again ${((joinedAt - happenedAt) / 1000).toFixed(1)} s later, and had sent ${early} until then`,
        ]
      : []),
    `${beyond(logged.flat(), requestsPerS)} beyond the limit`,
    gone,
  ].join('; ');
}

function endingOf(measured: MeasuredBriefly | Error, logged: readonly number[]): string {
  if (measured instanceof ProblemError) return `ended: ${measured.problem.code}, ${measured.problem.detail}`;
  if (measured instanceof Error) throw measured;
  const { hosts } = measured.facts;
  if (hosts === undefined) throw new Error('The run has no hosts.');
  const counted = hosts.hosts.map(({ requests }) => requests);
  const missing = counted.map((count, place) => (logged[place] ?? 0) - count);
  const limits = saturatedIn(hosts);
  return [
    `finished with ${measured.blocks.length} blocks, lost ${hosts.losses} times`,
    hosts.losses === 0
      ? `${missing.join(' and ')} requests in the log that the hosts did not count`
      : `${missing.join(' and ')} requests left out with what was lost`,
    ...(limits.length === 0 ? [] : [`named as the limit: ${limits.join(' and ')}`]),
  ].join(', ');
}

/** Requests that the second after them has too many of; users who wait may go at once. */
function beyond(times: readonly number[], requestsPerS: number): number {
  const inOrder = times.toSorted((a, b) => a - b);
  const most = requestsPerS + connections;
  return inOrder.filter((at, index) => (inOrder[index + most] ?? Number.POSITIVE_INFINITY) - at < 1).length;
}

function killSecond({ hosts }: FaultStage): void {
  for (const pid of treeOf(hosts.generators[1]?.running.child.pid)) process.kill(pid, 'SIGKILL');
}

async function restartSecond({ hosts }: FaultStage, environment: NodeJS.ProcessEnv): Promise<void> {
  hosts.generators[1]?.running.child.kill('SIGTERM');
  await untilAsync(
    async () => hosts.pool.list().length,
    (count) => count === 1,
  );
  hosts.restart(1, { environment });
  await untilAsync(
    async () => hosts.pool.free().length,
    (count) => count === 2,
  );
}

/** Of libfaketime: the time of day goes by a file, and monotonic clocks by the kernel. */
function withClock(file: string): NodeJS.ProcessEnv {
  return {
    ...{ LD_PRELOAD: 'libfaketimeMT.so.1', LD_LIBRARY_PATH: '/usr/lib/x86_64-linux-gnu/faketime' },
    ...{ FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
  };
}
