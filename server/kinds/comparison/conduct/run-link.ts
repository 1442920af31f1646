import { byArm } from '../../../../shared/base/arms.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import { type OpenLink, startLinks } from '../../../drive/link/start-links.ts';
import { summariseAdded } from '../../../method/statistics/added-delay.ts';
import type { HostReading } from '../../../targets/sampling/host.ts';
import { openSampler, samplingSupported } from '../../../targets/sampling/process-sampler.ts';
import type { Apparatus } from '../../apparatus.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** The path that a run asks for between generator and target. */
export type RunLink = {
  /** A link in front of each listener of a launch; those of the launch before are gone. The generator goes there, nobody else. */
  before<Name extends string>(listeners: Record<Name, Listener>): Promise<Record<Name, Listener>>;
  /** Aborted with a problem when it dies. */
  failed: AbortSignal;
  /** What the link's processes do is no disturbance by another program. */
  readHost(): HostReading | null;
  /** Keeps what the link has added in all launches so far, and what carried it. */
  note(): Promise<void>;
  stop(): Promise<void>;
};

/** Null for a run without a link. */
export async function openRunLink(
  run: Pick<RunUnderWay, 'request' | 'note'>,
  { readHost }: Pick<Apparatus, 'readHost'>,
  signal: AbortSignal,
): Promise<RunLink | null> {
  const { link } = run.request;
  if (link === undefined) return null;
  const links = await startLinks(signal);
  const samplers = new Map<number, ReturnType<typeof openSampler>>();
  const samplerOf = (pid: number) => {
    const sampler = samplers.get(pid) ?? openSampler(pid);
    samplers.set(pid, sampler);
    return sampler;
  };
  /** 0 for a process that has just ended, because `failed` reports that. */
  const cpuUsOf = (pid: number) => {
    try {
      return samplerOf(pid).readCpuUs();
    } catch {
      return 0;
    }
  };
  const added: number[] = [];
  let opened: OpenLink | null = null;
  return {
    failed: links.failed,
    async before<Name extends string>(listeners: Record<Name, Listener>) {
      const arms = Object.keys(listeners) as Name[];
      await links.close();
      const targets = arms.map((arm) => listeners[arm]);
      opened = await links.open(link, targets);
      const { ends } = opened;
      return byArm(arms, (arm) => ({ ...listeners[arm], ...ends[arms.indexOf(arm)] }));
    },
    readHost() {
      const host = readHost();
      if (host === null || !samplingSupported()) return host;
      const ownUs = links.pids().reduce((sum, pid) => sum + cpuUsOf(pid), 0);
      return { ...host, busyUs: host.busyUs - ownUs };
    },
    async note() {
      if (opened === null) return;
      added.push(...(await opened.readAddedMs()));
      await run.note({ link: { ...link, added: summariseAdded(added), by: await opened.readBy() } });
    },
    stop: links.stop,
  };
}
