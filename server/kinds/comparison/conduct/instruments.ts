import type { Arms } from '../../../../shared/base/arms.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { TargetCounters } from '../../../../shared/target/target.ts';
import type { SocketLimits } from '../../../base/addresses/socket-limits.ts';
import type { HostedGenerator } from '../../../drive/load/hosts/take-generator-hosts.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import type { HostReading } from '../../../targets/sampling/host.ts';
import type { OwnCpu } from '../../../targets/sampling/own-cpu.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';

/** What one launch is measured with. */
export type Instruments<Name extends string = Arm> = {
  /** As the plan declares them. */
  arms: Arms<Name>;
  generator: Generator;
  /** Of what the arms use. */
  readings: Readings<Name>;
  /** Transactions of a turn in lockstep. */
  turnTransactions: number;
  /** That the target's processes may run on; null where that is not known. */
  cores: number | null;
  /** Of each arm's process tree; null where it is not known. */
  roots: Record<Name, number | null>;
  /** The target's own counts; null for a target that is not ours. */
  counters: ((arm: Name) => Promise<TargetCounters>) | null;
  /** Called when a window or a slot is about to begin; null when nothing happens there. */
  beforeWindow: (() => Promise<void>) | null;
  /** Of the connections that slots will open; null when they open none. */
  readSocketLimits: (() => SocketLimits | null) | null;
  /** Reads the whole machine; null where it cannot be read. */
  readHost: () => HostReading | null;
  /** What is ours beside the target and the generator. */
  own?: OwnCpu;
  /** Memory at the end of the arm's block before, to tell growth from. */
  memoryBytes: Map<Name, number>;
  /** Connections that the arm's slot before opened, to tell how many ports the next one needs. */
  connectionsOpened: Map<Name, number>;
  runStartedAtMs: number;
  /** The hosts that generate the load; left out when this machine does. */
  hosts?: Pick<HostedGenerator, 'recover' | 'describe' | 'idleUs'>;
};

/** What warms up, finds a load, and runs bursts and windows, of whatever plan. */
export type LoadInstruments<Name extends string> = Pick<
  Instruments<Name>,
  'arms' | 'generator' | 'turnTransactions' | 'cores' | 'beforeWindow' | 'readHost' | 'own'
> & {
  readings: Pick<Readings<Name>, 'shared' | 'roots' | 'readCpu' | 'awaitAsleep' | 'sum' | 'remote'>;
  hosts?: Pick<HostedGenerator, 'idleUs'>;
};

/** What that takes of a plan. */
export type LoadPlan = Pick<
  Plan,
  'connections' | 'permit' | 'burstMs' | 'maximumMs' | 'thinkMs' | 'windowMs' | 'pairUsers' | 'warmUp'
> & { arms: Arms<string> };
