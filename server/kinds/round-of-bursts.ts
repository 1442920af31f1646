import { byArm } from '../../shared/base/arms.ts';
import type { Burst, SlotOptions } from '../drive/load/messages.ts';
import type { Generator } from '../drive/load/start-generator.ts';
import { gainOf, type Readings } from '../targets/sampling/readings.ts';

type Cpu<Name extends string> = Record<Name, number> | null;

/** One burst of each arm. */
export type RoundOfBursts<Name extends string> = {
  bursts: Record<Name, Burst>;
  /** Of the target, by arm, µs; null where it cannot be read. */
  cpuUs: Cpu<Name>;
  /** Of the whole target and of the generator, µs. */
  targetUs: number | null;
  generatorUs: number;
  /** What was read last: a round that follows at once begins with it. */
  cpu: Cpu<Name>;
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
 */
export async function roundOfBursts<Name extends string>(
  order: readonly Name[],
  slot: SlotOptions,
  cpu: Cpu<Name>,
  { generator, readings }: { generator: Pick<Generator, 'burst'>; readings: Readings<Name> },
  signal: AbortSignal,
): Promise<RoundOfBursts<Name>> {
  const bursts: Partial<Record<Name, Burst>> = {};
  const turns: Partial<Record<Name, number>> = {};
  let latest = cpu;
  let settledUs = 0;
  for (const arm of order) {
    signal.throwIfAborted();
    bursts[arm] = await generator.burst(arm, slot);
    if (readings.shared) settledUs += (await readings.awaitAsleep(arm)).waitedUs;
    const after = await readings.readCpu();
    const used = gainOf(latest, after);
    if (used !== null) turns[arm] = used[arm];
    latest = after;
  }
  const whole = gainOf(cpu, latest);
  const known = readings.shared ? order.every((arm) => turns[arm] !== undefined) : true;
  return {
    bursts: bursts as Record<Name, Burst>,
    cpuUs: whole === null || !known ? null : readings.shared ? byArm(order, (arm) => turns[arm] ?? 0) : whole,
    targetUs: whole === null ? null : readings.sum(whole),
    generatorUs: order.reduce((sum, arm) => sum + (bursts[arm]?.cpuUs ?? 0), 0),
    ...{ cpu: latest, settledUs },
  };
}
