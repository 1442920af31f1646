import type { Arms } from '../../shared/base/arms.ts';
import type { Plan } from '../../shared/kinds/comparison/load-profile.ts';
import type { Program, Unseen } from '../../shared/kinds/comparison/program.ts';
import type { HostedGenerator } from '../drive/hosts/take-generator-hosts.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import type { OtherClocks } from '../targets/sampling/every-process.ts';
import type { OwnCpu } from '../targets/sampling/machine.ts';
import type { HostReading } from '../targets/sampling/process-sampler.ts';
import type { Readings } from '../targets/sampling/readings.ts';

/**
 * A launch of the target, with its load generator and readings. A part of an arm is read separately: the arm itself, or each process
 * on its path.
 */
export type Bench<Name extends string, Part extends string = Name> = {
  /** The arms of the plan. */
  arms: Arms<Name>;
  generator: Generator;
  readings: Pick<Readings<Part>, 'shared' | 'readCpu' | 'stepUs' | 'awaitAsleep' | 'sum' | 'remote'>;
  /** Absent if every arm is its only part. */
  partsOf?(arm: Name): readonly Part[];
  /** Reads the whole machine; null where it cannot be read. */
  readHost: () => HostReading | null;
  /** CPU of TLS Toll's other processes; absent if this process is the only one. */
  own?: OwnCpu;
  /** Other processes that are read at every switch; null or absent for none. */
  others?: OtherClocks | null;
  /** Called with nothing in flight before every round, window and slot; null for no call. */
  beforeRound: (() => Promise<void>) | null;
};

/** A bench that also supports one user who goes from arm to arm. */
export type LoadBench<Name extends string> = Omit<Bench<Name>, 'readings'> & {
  readings: Bench<Name>['readings'] & Pick<Readings<Name>, 'roots'>;
  /** Transactions of one user on an arm before the next arm. */
  turnTransactions: number;
  /** Set where the first warm-up looks for the programs that work for the target besides itself. */
  seek?: {
    /** Roots of the target's process trees, by arm. */
    roots: Record<string, readonly number[]>;
    /** Whether one arm's processes may work for another, as a server does for the proxy in front of it. */
    mayCross: boolean;
    /** Called with all of them, the target first, where there is more than one. */
    found(programs: Program[]): Promise<void>;
    /** The machine before the warm-up. */
    since?: { programsUs: number; oursUs: number } | null;
    /** Called where something works that cannot be seen; absent where that is not looked for, because it takes seconds on a busy machine. */
    foundUnseen?: (unseen: Unseen) => Promise<void>;
  };
  /** Roots of the process trees of those programs; absent where the target works alone. */
  companions?: readonly number[];
  /** Cores that the target's processes may run on; null if unknown. */
  cores: number | null;
  /** Period of a CPU quota on the target, ms; null or absent without one. */
  quotaPeriodMs?: number | null;
  /** Whether the target answers the connections of this many users per arm concurrently; absent if that was not checked. */
  serves?: (users: number) => Promise<boolean>;
  /** The hosts that generate the load; absent if this machine does. */
  hosts?: Pick<HostedGenerator, 'idleUs'>;
};

/** The fields of a plan that the warm-up, the search for the load, and measuring need. */
export type LoadPlan = Pick<
  Plan,
  'users' | 'generators' | 'permit' | 'maximumMs' | 'thinkMs' | 'windowMs' | 'pairUsers' | 'warmUp'
> & { arms: Arms<string>; link?: unknown };
