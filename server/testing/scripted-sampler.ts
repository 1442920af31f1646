import type { ProcessSampler } from '../targets/sampling/process-sampler.ts';

/** A sampler of processes that use what a script says. */
export function scriptedSampler(used: {
  atUs(): number;
  cpuUs(): number;
  diskWriteBytes(): number;
}): ProcessSampler {
  return {
    read: () => ({
      atUs: used.atUs(),
      cpuUs: used.cpuUs(),
      cpuTickUs: used.cpuUs(),
      rssBytes: 90_000_000,
      pssBytes: 80_000_000,
      diskReadBytes: 0,
      diskWriteBytes: used.diskWriteBytes(),
      processes: 1,
    }),
    readMemory: () => 92_000_000,
    readCpuUs: used.cpuUs,
    stepUs: () => null,
    watch: () => () => {},
    awaitAsleep: async () => asleep,
    blockUntilAsleep: () => asleep,
  };
}

const asleep = { waitedUs: 0, asleep: true };

/** Answer of a generator that opens no connections. */
export const nothingOpened = {
  ...{ connectionsOpened: 0, handshakesFull: 0, handshakesResumed: 0, renegotiations: 0 },
  ...{ negotiated: null, errors: [] },
};
