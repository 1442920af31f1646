import type { Arm } from '../../../../shared/base/transport.ts';
import type { TargetCounters } from '../../../../shared/target/target.ts';
import type { SocketLimits } from '../../../base/addresses/socket-limits.ts';
import type { HostedGenerator } from '../../../drive/load/hosts/take-generator-hosts.ts';
import type { LoadBench } from '../../../measure/bench.ts';
import type { Newcomers } from '../../../targets/sampling/programs.ts';
import type { Readings } from '../../../targets/sampling/readings.ts';

/** The bench of a comparison's launch, with the counters that are read at the edges of its blocks. */
export type Instruments<Name extends string = Arm> = LoadBench<Name> & {
  readings: Readings<Name>;
  /** Root of each arm's process tree; null if unknown. */
  roots: Record<Name, number | null>;
  /** Absent where processes cannot be seen. */
  newcomers?: Newcomers;
  /** The target's own counts; null for a target that is not ours. */
  counters: ((arm: Name) => Promise<TargetCounters>) | null;
  /** Limits on the connections that slots will open; null where they do not matter. */
  readSocketLimits: (() => SocketLimits | null) | null;
  /** Memory at the end of the arm's block before, to tell growth from. */
  memoryBytes: Map<Name, number>;
  /** Connections that the arm's slot before opened, to tell how many ports the next one needs. */
  connectionsOpened: Map<Name, number>;
  runStartedAtMs: number;
  hosts?: Pick<HostedGenerator, 'recover' | 'describe' | 'idleUs'>;
};
