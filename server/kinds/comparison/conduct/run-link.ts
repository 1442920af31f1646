import { byArm } from '../../../../shared/base/arms.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import { startLinks } from '../../../drive/link/start-links.ts';
import { summariseAdded } from '../../../method/statistics/added-delay.ts';
import type { HostReading } from '../../../targets/sampling/host.ts';
import { openSampler, samplingSupported } from '../../../targets/sampling/process-sampler.ts';
import type { Apparatus } from '../../apparatus.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** The path that a run asks for between generator and target. */
export type RunLink = {
  /** A link in front of each listener of a launch; those of the launch before are gone. The generator goes there, nobody else. */
  before<Name extends string>(listeners: Record<Name, Listener>): Promise<Record<Name, Listener>>;
  /** What the relay does is no disturbance by another program. */
  readHost(): HostReading | null;
  /** Keeps what the relay has added in all launches so far. */
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
  const samplers = samplingSupported() ? links.pids.map((pid) => openSampler(pid)) : [];
  const added: number[] = [];
  let readAddedMs: () => Promise<number[]> = async () => [];
  return {
    async before<Name extends string>(listeners: Record<Name, Listener>) {
      const arms = Object.keys(listeners) as Name[];
      await links.close();
      const opened = await links.open(
        link,
        arms.map((arm) => listeners[arm]),
      );
      readAddedMs = opened.readAddedMs;
      return byArm(arms, (arm) => ({
        ...listeners[arm],
        address: '127.0.0.1',
        port: opened.ports[arms.indexOf(arm)] as number,
      }));
    },
    readHost() {
      const host = readHost();
      if (host === null) return null;
      const ownUs = samplers.reduce((sum, sampler) => sum + sampler.readCpuUs(), 0);
      return { ...host, busyUs: host.busyUs - ownUs };
    },
    async note() {
      added.push(...(await readAddedMs()));
      await run.note({ link: { ...link, added: summariseAdded(added) } });
    },
    stop: links.stop,
  };
}
