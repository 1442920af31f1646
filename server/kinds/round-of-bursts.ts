import { byArm } from '../../shared/base/arms.ts';
import type { Burst, SlotOptions } from '../drive/load/messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import { gainOf, type Readings } from '../targets/sampling/readings.ts';

type Cpu<Name extends string> = Record<Name, number> | null;
type BurstReadings<Part extends string> = Pick<Readings<Part>, 'shared' | 'readCpu' | 'awaitAsleep' | 'sum'>;

/** One burst of each arm. */
export type RoundOfBursts<Name extends string, Part extends string = Name> = {
  bursts: Record<Name, Burst>;
  /** Of the target, by what is read, µs; null where it cannot be. */
  cpuUs: Cpu<Part>;
  /** Of the whole target and of the generator, µs. */
  targetUs: number | null;
  generatorUs: number;
  /** What was read last: a round that follows at once begins with it. */
  cpu: Cpu<Part>;
  /** Waited in all until the target slept, where its arms share processes, µs. */
  settledUs: number;
};

/**
 * The cost at load: all users on one arm for tens of milliseconds, then on the next. A burst ends with nothing in flight. A process
 * tree that arms share is read at every switch, once it sleeps; one of its own is billed for all that it used since `cpu` was read, as what a burst
 * leaves behind (garbage, logs) is its cost as well.
 *
 * @param order of all arms
 * @param cpu as it was read when the round before ended
 * @param partsOf what is read of an arm: itself, or each process on its way
 */
export async function roundOfBursts<Name extends string, Part extends string = Name>(
  order: readonly Name[],
  slot: SlotOptions,
  cpu: Cpu<Part>,
  { generator, readings }: { generator: Pick<Generator, 'burst'>; readings: BurstReadings<Part> },
  signal: AbortSignal,
  partsOf: (arm: Name) => readonly Part[] = (arm) => [arm as string as Part],
): Promise<RoundOfBursts<Name, Part>> {
  const bursts: Partial<Record<Name, Burst>> = {};
  const turns: Partial<Record<Part, number>> = {};
  let latest = cpu;
  let settledUs = 0;
  for (const arm of order) {
    signal.throwIfAborted();
    bursts[arm] = await generator.burst(arm, slot);
    if (readings.shared) {
      for (const part of partsOf(arm)) settledUs += (await readings.awaitAsleep(part)).waitedUs;
    }
    const after = await readings.readCpu();
    const used = gainOf(latest, after);
    if (used !== null) for (const part of partsOf(arm)) turns[part] = used[part];
    latest = after;
  }
  const whole = gainOf(cpu, latest);
  const parts = order.flatMap((arm) => partsOf(arm));
  const known = readings.shared ? parts.every((part) => turns[part] !== undefined) : true;
  return {
    bursts: bursts as Record<Name, Burst>,
    cpuUs:
      whole === null || !known ? null : readings.shared ? byArm(parts, (part) => turns[part] ?? 0) : whole,
    targetUs: whole === null ? null : readings.sum(whole),
    generatorUs: order.reduce((sum, arm) => sum + (bursts[arm]?.cpuUs ?? 0), 0),
    ...{ cpu: latest, settledUs },
  };
}
