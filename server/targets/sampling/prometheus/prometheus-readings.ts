import { byArm } from '../../../../shared/base/arms.ts';
import type { ExporterAt } from '../../../../shared/target/prometheus-source.ts';
import { type Readings, takenElsewhere } from '../readings.ts';
import { ExporterCount } from './exporter-count.ts';

/**
 * The readings of an exporter, which knows all arms' processes together. What reading costs the target itself is subtracted.
 * Throws exporter_unreachable, exporter_unusable, target_died, here and wherever it is read.
 */
export async function openPrometheusReadings<Name extends string>(
  arms: readonly Name[],
  at: ExporterAt,
  token: string | null,
  signal?: AbortSignal,
): Promise<Readings<Name>> {
  const exporter = new ExporterCount(at, token, signal);
  await exporter.start();
  let refused: string | null = null;
  return {
    ...takenElsewhere,
    readAll: async () => {
      if (refused !== null) return byArm(arms, () => null);
      const { cpuUs, rssBytes } = await exporter.read();
      const all = {
        ...{ atUs: performance.now() * 1000, cpuUs, cpuTickUs: null, cpuStepUs: exporter.stepUs ?? 0 },
        ...{ rssBytes, pssBytes: rssBytes, diskReadBytes: null, diskWriteBytes: null, processes: 1 },
      };
      return byArm(arms, () => all);
    },
    // It tells one count.
    cpuChecks: () => [],
    readCpu: async () => {
      if (refused !== null) return null;
      const { cpuUs } = await exporter.read();
      return byArm(arms, () => cpuUs);
    },
    stepUs: () => exporter.stepUs,
    // In the middle of a slot it would be work of the target's that belongs to no transaction.
    readCurve: async () => null,
    sum: (cpuUs) => cpuUs[arms[0] as Name],
    remote: {
      get readTurnUs() {
        return refused === null ? async () => (await exporter.read(true)).cpuUs : null;
      },
      readingUs: exporter.tripUs(0.5),
      readEveryUs: 1e6 / at.mostPerS,
      grain: () => ({ stepUs: exporter.stepUs, readingCpuUs: exporter.idleCpuUs }),
      refuse: (sentence) => {
        refused = sentence;
      },
      // Of the rest of its host an exporter of one process says nothing.
      lastHost: () => null,
      describe: () => ({ ...exporter.describe(), ...(refused === null ? {} : { refused }) }),
    },
    close: () => exporter.close(),
  };
}
