import type { AgentAt } from '../../../shared/remote-readings.ts';
import { byArm } from '../../../shared/transport.ts';
import { quantile } from '../../statistics/quantile.ts';
import { CpuCounts } from '../cpu-counts.ts';
import type { HostReading } from '../host.ts';
import { machineId } from '../machine-id.ts';
import type { ResourceReading } from '../process-sampler.ts';
import { type Readings, sleepsElsewhere } from '../readings.ts';
import { connectToAgent, type TimedReading } from './agent-connection.ts';
import type { AgentReading, Depth } from './protocol.ts';

/** Readings with no load at the beginning: what a reading costs, and what the target uses from one to the next. */
const idleReadings = 20;

/**
 * The readings of an agent. It reads one group of processes for all arms, so that only one of them may be at work. Throws
 * agent_unreachable, agent_untrusted, agent_version, target_died, here and wherever it is read.
 */
export async function openAgentReadings(at: AgentAt, token: string, signal?: AbortSignal): Promise<Readings> {
  const connection = await connectToAgent(at, token, signal);
  const tripsUs: number[] = [];
  let host: TimedReading['host'] = null;
  const read = async (depth: Depth): Promise<AgentReading> => {
    const { roundTripUs, ...reading } = await connection.read(depth);
    tripsUs.push(roundTripUs);
    host = reading.host ?? host;
    return reading;
  };

  // The first one lists and warms up what the others only look at.
  const { cpuUs: beforeUs } = await read('edge');
  tripsUs.length = 0;
  let cpuUs = beforeUs;
  for (let reading = 0; reading < idleReadings; reading++) ({ cpuUs } = await read('turn'));
  const idleCpuUs = Math.max(0, cpuUs - beforeUs) / idleReadings;
  const sameMachine = (host as TimedReading['host'])?.machine === (machineId() ?? '');

  const counts = new CpuCounts(() => at.name);

  return {
    shared: true,
    roots: null,
    watch: () => {},
    awaitAsleep: sleepsElsewhere,
    readAll: async () => {
      const all = resourcesOf(await read('edge'));
      return counts.note(byArm(() => all));
    },
    cpuChecks: () => counts.checks(),
    readCpu: async () => {
      const { cpuUs: nowUs } = await read('window');
      return byArm(() => nowUs);
    },
    readCurve: async () => {
      const { cpuUs: nowUs, rssBytes } = await read('curve');
      return { cpuUs: nowUs, rssBytes: rssBytes ?? 0 };
    },
    sum: ({ baseline }) => baseline,
    remote: {
      readTurnUs: async () => (await read('turn')).cpuUs,
      readingUs: quantile(tripsUs, 0.5),
      readEveryUs: 1e6 / connection.mostPerS,
      grain: () => null,
      refuse: () => {},
      lastHost: () => (sameMachine ? null : hostOf(host)),
      describe: () => ({
        ...{ by: 'agent' as const, at: at.name, sameMachine, idleCpuUs },
        roundTripUs: quantile(tripsUs, 0.5),
        withinUs: quantile(tripsUs, 0.99) / 2,
      }),
    },
    close: () => connection.close(),
  };
}

function resourcesOf({ atUs, cpuUs, rssBytes, whole }: AgentReading): ResourceReading | null {
  if (whole === null) return null;
  return { atUs, cpuUs, rssBytes: rssBytes ?? 0, ...whole };
}

function hostOf(host: AgentReading['host']): (HostReading & { cores: number; agentUs: number }) | null {
  if (host === null) return null;
  const { machine: _, ...reading } = host;
  return reading;
}
