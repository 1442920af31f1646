import { isRecord } from '../../../text/is-record.ts';

/**
 * A slot of before its phases and the processes of its generator were told apart, with those fields; a later one as it
 * is. Slots stand in documents and, of a run that has not ended well, in blocks of their own.
 */
export function upgradeSlot(slot: unknown): unknown {
  if (!isRecord(slot) || !isRecord(slot.load) || 'phases' in slot.load) return slot;
  const { load } = slot;
  const steps = Array.isArray(load.steps) ? load.steps : [];
  return {
    ...slot,
    load: {
      ...load,
      phases: null,
      phaseHistograms: null,
      generatorBusiestUs: load.generatorCpuUs,
      steps: steps.map(upgradeStepTimes),
    },
  };
}

/** Of a step, or of a side of one in a document; null stays. */
export function upgradeStepTimes(times: unknown): unknown {
  return isRecord(times) ? { connectUs: null, tlsUs: null, downloadUs: null, ...times } : times;
}
