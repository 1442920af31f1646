import { setTimeout as pause } from 'node:timers/promises';
import type { Arm } from '../../shared/transport.ts';
import type { Apparatus } from '../kinds/apparatus.ts';
import type { SlotOptions } from '../load/messages.ts';
import type { Generator } from '../load/start-generator.ts';
import type { ProcessSampler } from '../sampling/process-sampler.ts';
import { drawsOf } from './draws.ts';
import { sampleSlot } from './sample-slot.ts';

/**
 * Measures nothing: every slot has the figures of the sample run, on a clock that moves on by what the slot would have taken.
 * So every run is accepted, however busy the machine is.
 *
 * @param pace how long a slot takes, as a multiple of its time
 */
export function scriptedApparatus(pace: number): Apparatus {
  const random = drawsOf(7);
  const spent: Record<Arm, Spent> = { baseline: nothing(), comparison: nothing(), twin: nothing() };
  let nowMs = 0;

  const generator: Generator = {
    pids: [process.pid],
    async configure() {},
    async prepare() {
      return { connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0, negotiated: null, errors: [] };
    },
    async run(arm, slot) {
      await pause(slot.durationMs * pace);
      nowMs += slot.durationMs;
      const { load, target } = sampleSlot(arm, pointOf(slot), 0, random, slot.durationMs);
      spent[arm].cpuUs += target?.cpuUs ?? 0;
      spent[arm].diskBytes += target?.diskWriteBytes ?? 0;
      return { ...load, windowUs: (slot.durationMs - slot.discardMs) * 1000, connectionsOpened: 0 };
    },
    async stop() {},
  };
  const samplers = {
    baseline: sampler(spent.baseline, () => nowMs),
    comparison: sampler(spent.comparison, () => nowMs),
    twin: sampler(spent.twin, () => nowMs),
  };
  return {
    startGenerator: async () => generator,
    openSampler: ({ arm }) => samplers[arm],
    countersOf: () => null,
    readHost: () => ({ atUs: nowMs * 1000, busyUs: 0, stealUs: 0 }),
  };
}

type Spent = { cpuUs: number; diskBytes: number };
const nothing = (): Spent => ({ cpuUs: 0, diskBytes: 0 });

function pointOf({ ratePerS }: SlotOptions): 'steady' | 'maximum' {
  return ratePerS === null ? 'maximum' : 'steady';
}

function sampler(spent: Spent, nowMs: () => number): ProcessSampler {
  return {
    read: () => ({
      atUs: nowMs() * 1000,
      cpuUs: spent.cpuUs,
      cpuTickUs: spent.cpuUs,
      rssBytes: 90_000_000,
      pssBytes: 80_000_000,
      diskReadBytes: 0,
      diskWriteBytes: spent.diskBytes,
      processes: 1,
    }),
    readMemory: () => 92_000_000,
    readCpuUs: () => spent.cpuUs,
  };
}
