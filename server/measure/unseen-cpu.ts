import { setTimeout as pause } from 'node:timers/promises';
import type { Unseen } from '../../shared/kinds/comparison/program.ts';
import { judgeUnseen, leastUnseen, type UseInRound } from '../method/statistics/find-workers.ts';
import { sumOf } from '../method/statistics/mean.ts';
import { readProgramsUs } from '../targets/sampling/host.ts';
import type { LoadBench } from './bench.ts';
import { type Round, rounds, type Turn } from './rounds.ts';

/**
 * Programs that work for a request and cannot be seen, such as a server in another PID namespace or with `hidepid`: the machine's busy time shows
 * that they are there. Linux reports that in steps of 10 ms, so it takes seconds, and only what is a large part is looked for.
 */

const pairs = 8;
const stretchMs = 250;

/** CPU so far, µs, of all programs of this machine, and of TLS Toll without target and generator; null where it cannot be read. */
type Machine = { programsUs: number; oursUs: number } | null;

export function readMachine({ own }: Pick<LoadBench<string>, 'own'>): Machine {
  const programsUs = readProgramsUs();
  return programsUs === null || own === undefined ? null : { programsUs, oursUs: own.readUs() };
}

/**
 * Looks closer where a warm-up leaves much of the machine's busy time unexplained: loads the target and leaves it alone in turns.
 * @param since before the rounds
 * @returns null where nothing large can be unseen
 */
export async function findUnseen<Name extends string>(
  bench: LoadBench<Name>,
  since: Machine,
  seen: readonly Round<Name>[],
  turnsOf: (nth: number) => readonly Turn<Name>[],
  extent: { seed: number; signal: AbortSignal },
): Promise<Unseen | null> {
  const visibleUs = sumOf(seen.map(({ targetUs }) => targetUs ?? 0));
  const unexplained = unexplainedSince(bench, since, seen);
  if (unexplained === null || unexplained < leastUnseen * visibleUs) return null;
  const uses: UseInRound[] = [];
  const targets: UseInRound[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const fromMs = performance.now();
    const before = readMachine(bench);
    const loaded: Round<Name>[] = [];
    for await (const round of rounds(bench, turnsOf, { ...extent, ms: stretchMs })) loaded.push(round);
    const loadedMs = performance.now() - fromMs;
    const loadedUs = unexplainedSince(bench, before, loaded);
    const nobodyUs = await unexplainedByNobody(bench, extent.signal);
    if (loadedUs === null || nobodyUs === null) return null;
    uses.push({ loadedUs, loadedMs, nobodyUs, nobodyMs: stretchMs });
    const targetUs = sumOf(loaded.map((round) => round.targetUs ?? 0));
    targets.push({ loadedUs: targetUs, loadedMs, nobodyUs: 0, nobodyMs: stretchMs });
  }
  return judgeUnseen(uses, targets);
}

/** µs that neither the target, nor the generator, nor TLS Toll, nor a process that can be seen has used. */
function unexplainedSince<Name extends string>(
  bench: LoadBench<Name>,
  since: Machine,
  seen: readonly Round<Name>[],
): number | null {
  const now = readMachine(bench);
  if (since === null || now === null) return null;
  const explained = seen.map(
    ({ targetUs, generatorUs, turns, nobody }) =>
      (targetUs ?? 0) +
      generatorUs +
      sumOf(
        [...turns.map(({ others }) => others), nobody].map(
          (each) => (each?.kernelUs ?? 0) + sumOf([...(each?.us.values() ?? [])]),
        ),
      ),
  );
  return now.programsUs - since.programsUs - (now.oursUs - since.oursUs) - sumOf(explained);
}

async function unexplainedByNobody<Name extends string>(
  bench: LoadBench<Name>,
  signal: AbortSignal,
): Promise<number | null> {
  const { others, readings } = bench;
  const readVisibleUs = () => sumOf([...(others?.readUs().values() ?? [])]) + (others?.readKernelUs() ?? 0);
  const [before, cpu, visibleUs] = [readMachine(bench), await readings.readCpu(), readVisibleUs()];
  await pause(stretchMs, undefined, { signal });
  const [after, cpuNow, visibleNowUs] = [readMachine(bench), await readings.readCpu(), readVisibleUs()];
  if (before === null || after === null || cpu === null || cpuNow === null) return null;
  const gained = after.programsUs - before.programsUs - (after.oursUs - before.oursUs);
  return gained - (readings.sum(cpuNow) - readings.sum(cpu)) - (visibleNowUs - visibleUs);
}
