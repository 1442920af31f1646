import { byArm } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import type { AgentAt } from '../../../../shared/target/remote-readings.ts';
import { quantile } from '../../../method/statistics/quantile.ts';
import { CpuCounts } from '../cpu-counts.ts';
import type { HostReading } from '../host.ts';
import { machineId } from '../machine-id.ts';
import type { ResourceReading } from '../process-sampler.ts';
import { type Readings, takenElsewhere } from '../readings.ts';
import { type AgentConnection, connectToAgent, type TimedReading } from './agent-connection.ts';
import type { AgentReading, Depth } from './protocol.ts';

/** Readings with no load at the beginning: what a reading costs, and what the target uses from one to the next. */
const idleReadings = 20;
/** A run asks hundreds of times. An agent reads in less than a millisecond, and the rest is its network. */
const slowestUs = 1e6;
/** So many answers are late before an agent is. */
const fewestLate = 3;

/**
 * The readings of an agent. It reads one group of processes for all arms, so that only one of them may be at work. Throws
 * agent_unreachable, agent_untrusted, agent_version, target_died, here and wherever it is read.
 * @param signal that ends the opening; once it is open, `close` does
 */
export async function openAgentReadings<Name extends string>(
  arms: readonly Name[],
  at: AgentAt,
  token: string,
  signal?: AbortSignal,
): Promise<Readings<Name>> {
  const connection = await connectToAgent(at, token, signal);
  signal?.addEventListener('abort', connection.close, { once: true });
  try {
    signal?.throwIfAborted();
    return await tryOut(arms, at, connection);
  } catch (error) {
    connection.close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', connection.close);
  }
}

async function tryOut<Name extends string>(
  arms: readonly Name[],
  at: AgentAt,
  connection: AgentConnection,
): Promise<Readings<Name>> {
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
  for (let reading = 0; reading < idleReadings; reading++) {
    ({ cpuUs } = await read('turn'));
    if (tripsUs.length >= fewestLate) demandQuick(at, quantile(tripsUs, 0.5));
  }
  const idleCpuUs = Math.max(0, cpuUs - beforeUs) / idleReadings;
  const sameMachine = (host as TimedReading['host'])?.machine === (machineId() ?? '');

  const counts = new CpuCounts(arms, () => at.name);

  return {
    ...takenElsewhere,
    readAll: async () => {
      const all = resourcesOf(await read('edge'));
      return counts.note(byArm(arms, () => all));
    },
    cpuChecks: () => counts.checks(),
    readCpu: async () => {
      const { cpuUs: nowUs } = await read('window');
      return byArm(arms, () => nowUs);
    },
    stepUs: () => null,
    readCurve: async () => {
      const { cpuUs: nowUs, rssBytes } = await read('curve');
      return { cpuUs: nowUs, rssBytes: rssBytes ?? 0 };
    },
    sum: (cpuUs) => cpuUs[arms[0] as Name],
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

function demandQuick({ name }: AgentAt, tripUs: number): void {
  if (tripUs <= slowestUs) return;
  const needed = `A run needs one within ${slowestUs / 1e6} s`;
  throw problem(
    'agent_unreachable',
    `The agent at ${name} takes ${(tripUs / 1e6).toFixed(1)} s for an answer. ${needed}.`,
  );
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
