import type { Listener, TargetCounters } from '../../shared/target.ts';
import type { Arm } from '../../shared/transport.ts';
import { type Generator, startGenerator } from '../load/start-generator.ts';
import { type HostReading, readHost } from '../sampling/host.ts';
import { openSampler, type ProcessSampler, samplingSupported } from '../sampling/process-sampler.ts';
import type { OpenTarget } from '../target/open-target.ts';

/** What a run is measured with. Tests bring a script instead, which no other program on the machine can disturb. */
export type Apparatus = {
  startGenerator(processes: number): Promise<Generator>;
  /** Of an arm's process tree; null where it cannot be read. Arms may share one: only one is loaded at a time. */
  openSampler(listener: Listener): ProcessSampler | null;
  /** The target's own counts; null for a target that is not ours. */
  countersOf(target: OpenTarget): ((arm: Arm) => Promise<TargetCounters>) | null;
  /** Reads the whole machine; null where it cannot be read. */
  readHost(): HostReading | null;
};

export const realApparatus: Apparatus = {
  startGenerator,
  openSampler: ({ pid }) => (pid === null || !samplingSupported() ? null : openSampler(pid)),
  countersOf: ({ counters }) => counters,
  readHost,
};
