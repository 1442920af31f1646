import { byArm } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import type { ExporterAt } from '../../../../shared/target/prometheus-source.ts';
import { quantile } from '../../../method/statistics/quantile.ts';
import { type Readings, sleepsElsewhere } from '../readings.ts';
import { CounterSteps } from './counter-steps.ts';
import { Scraper } from './scraper.ts';

/** With no load at the beginning: what a reading costs the target, whose own process may be the exporter. */
const idleReadings = 10;

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
  const scraper = new Scraper(at, token, signal);
  const steps = new CounterSteps();
  const tripsUs: number[] = [];
  let idleCpuUs = 0;
  let refused: string | null = null;
  let lastUs: number | null = null;
  let sinceTurn = false;

  /** @param turn whether the target did nothing but a turn since the reading before */
  const read = async (turn = false) => {
    const { cpuUs, rssBytes, roundTripUs } = await scraper.read();
    tripsUs.push(roundTripUs);
    const gainUs = cpuUs - (lastUs ?? cpuUs);
    if (gainUs < -1) throw restarted(at);
    if (turn && sinceTurn) steps.sawWork(gainUs);
    else steps.saw(gainUs);
    lastUs = cpuUs;
    sinceTurn = turn;
    return { cpuUs: cpuUs - tripsUs.length * idleCpuUs, rssBytes };
  };

  try {
    await read();
    tripsUs.length = 0;
    const fromUs = lastUs ?? 0;
    for (let reading = 0; reading < idleReadings; reading++) await read();
    idleCpuUs = ((lastUs ?? 0) - fromUs) / idleReadings;
  } catch (error) {
    scraper.close();
    throw error;
  }

  return {
    shared: true,
    roots: null,
    watch: () => {},
    awaitAsleep: sleepsElsewhere,
    readAll: async () => {
      if (refused !== null) return byArm(arms, () => null);
      const { cpuUs, rssBytes } = await read();
      const all = {
        ...{ atUs: performance.now() * 1000, cpuUs, cpuTickUs: null, cpuStepUs: steps.stepUs ?? 0 },
        ...{ rssBytes, pssBytes: rssBytes, diskReadBytes: null, diskWriteBytes: null, processes: 1 },
      };
      return byArm(arms, () => all);
    },
    // It tells one count.
    cpuChecks: () => [],
    readCpu: async () => {
      if (refused !== null) return null;
      const { cpuUs } = await read();
      return byArm(arms, () => cpuUs);
    },
    // In the middle of a slot it would be work of the target's that belongs to no transaction.
    readCurve: async () => null,
    sum: (cpuUs) => cpuUs[arms[0] as Name],
    remote: {
      get readTurnUs() {
        return refused === null ? async () => (await read(true)).cpuUs : null;
      },
      readingUs: quantile(tripsUs, 0.5),
      readEveryUs: 1e6 / at.mostPerS,
      grain: () => ({ stepUs: steps.stepUs, readingCpuUs: idleCpuUs }),
      refuse: (sentence) => {
        refused = sentence;
      },
      // Of the rest of its host an exporter of one process says nothing.
      lastHost: () => null,
      describe: () => ({
        ...{ by: 'prometheus' as const, at: at.name, sameMachine: isLoopback(at.address), idleCpuUs },
        roundTripUs: quantile(tripsUs, 0.5),
        withinUs: quantile(tripsUs, 0.99) / 2,
        ...(steps.stepUs === null ? {} : { stepUs: steps.stepUs }),
        ...(refused === null ? {} : { refused }),
      }),
    },
    close: () => scraper.close(),
  };
}

function restarted({ name, cpu }: ExporterAt): Error {
  return problem(
    'target_died',
    `${cpu.text} at ${name} went back: a process was started again, or has ended.`,
  );
}

function isLoopback(address: string): boolean {
  return /^127\.|^::1$/.test(address);
}
