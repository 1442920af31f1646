import { byArm, namesOf } from '../../../../shared/base/arms.ts';
import type { WindowOptions, WindowResult } from '../../../drive/load/messages.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { drawsOf, shuffle } from '../../../method/statistics/random.ts';
import type { LoadInstruments } from './instruments.ts';

type Options = Pick<WindowOptions<string>, 'durationMs' | 'users' | 'seed' | 'firstRow'>;

/**
 * One window of lockstep. Where arms share a process tree, its CPU is read at every turn: by the generator if it can, else here,
 * between turns that are asked for one by one.
 */
export function measureWindow<Name extends string>(
  instruments: Pick<LoadInstruments<Name>, 'arms' | 'generator' | 'readings' | 'turnTransactions'>,
  options: Options,
): Promise<WindowResult<Name>> {
  const { generator, readings, turnTransactions } = instruments;
  const arms = namesOf(instruments.arms);
  const readTurnUs = readings.shared ? (readings.remote?.readTurnUs ?? null) : null;
  if (readTurnUs !== null)
    return windowOfTurns(arms, generator, readTurnUs, { ...options, turnTransactions });
  const trees = readings.shared ? readings.roots : null;
  return generator.window({ ...options, arms, turnTransactions, trees });
}

/** So short that it ends with the first turn. */
const oneTurnMs = 0.001;

async function windowOfTurns<Name extends string>(
  arms: readonly Name[],
  generator: Generator,
  readUs: () => Promise<number>,
  { durationMs, seed, firstRow, turnTransactions }: Options & { turnTransactions: number },
): Promise<WindowResult<Name>> {
  const fromMs = performance.now();
  const spent = byArm(arms, () => ({ transactions: 0, cpuUs: 0 }));
  const latenciesUs: number[] = [];
  let generatorCpuUs = 0;
  let groups = 0;
  const draw = drawsOf(seed);
  let beforeUs = await readUs();
  while (performance.now() - fromMs < durationMs) {
    const ofGroup = new Map<Name, number>();
    for (const arm of shuffle(arms, draw)) {
      const turn = await generator.window({
        ...{ arms: [arm], durationMs: oneTurnMs, users: 1, turnTransactions, trees: null, seed },
        firstRow: firstRow + groups,
      });
      const afterUs = await readUs();
      spent[arm].transactions += turn.arms[arm].transactions;
      spent[arm].cpuUs += Math.max(0, afterUs - beforeUs);
      generatorCpuUs += turn.generatorCpuUs;
      beforeUs = afterUs;
      const [latencyUs] = turn.latenciesUs;
      if (latencyUs !== undefined) ofGroup.set(arm, latencyUs);
    }
    groups++;
    // Of a group in which something failed none counts.
    if (ofGroup.size === arms.length) latenciesUs.push(...arms.map((arm) => ofGroup.get(arm) ?? 0));
  }
  return {
    elapsedUs: Math.round((performance.now() - fromMs) * 1000),
    arms: spent,
    latenciesUs: Float32Array.from(latenciesUs),
    generatorCpuUs,
    groups,
  };
}
