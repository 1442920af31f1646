import { type Arm, byArm } from '../../../shared/transport.ts';
import { seedRandom, shuffle } from '../../statistics/random.ts';
import { openTrees } from '../lockstep.ts';
import type { AskedWindow, WindowResult } from '../messages.ts';
import type { Transaction } from './read-sample.ts';
import type { SampleCount } from './sample-count.ts';
import type { Crew } from './start-crew.ts';

export type Turns = {
  transactions: Transaction[];
  elapsedUs: number;
  generatorCpuUs: number;
  /** Of each arm; null where the caller reads it. */
  cpuUs: Record<Arm, number> | null;
};

/**
 * One window of lockstep. Where each arm has a process tree of its own, k6 goes from arm to arm on its own. Where arms share
 * one, every turn is an order of its own, and the tree's CPU is read between two orders, when nothing is in flight.
 */
export function performTurns(crew: Crew, options: AskedWindow, transactionMs: number): Promise<Turns> {
  return options.trees === null
    ? performAlone(crew, options, transactionMs)
    : performByTurn(crew, { ...options, users: 1 }, options.trees, transactionMs);
}

async function performAlone(crew: Crew, options: AskedWindow, transactionMs: number): Promise<Turns> {
  const { arms, users, durationMs, turnTransactions, seed, firstRow, sameRow } = options;
  const order = { arms, users, durationMs, turnTransactions, seed, firstRow, sameRow };
  const longestMs = durationMs + arms.length * turnTransactions * transactionMs;
  const { number, elapsedUs, cpuUs } = await crew.perform(order, longestMs);
  const transactions = await crew.transactions(number, users);
  return { transactions, elapsedUs, generatorCpuUs: cpuUs, cpuUs: null };
}

async function performByTurn(
  crew: Crew,
  { arms, users, durationMs, turnTransactions, seed, firstRow, sameRow }: AskedWindow,
  trees: NonNullable<AskedWindow['trees']>,
  transactionMs: number,
): Promise<Turns> {
  const ledgers = openTrees(trees);
  const cpuUs = byArm(() => 0);
  const performed: { number: number; group: number }[] = [];
  const fromMs = performance.now();
  let generatorCpuUs = 0;
  let random = seedRandom(seed);
  for (let group = 0; group === 0 || performance.now() - fromMs < durationMs; group++) {
    const drawn = shuffle(arms, random);
    random = drawn.next;
    for (const arm of drawn.value) {
      const beforeUs = ledgers[arm].readSettledUs();
      const row = firstRow + (sameRow ? 0 : group);
      const turn = await crew.perform(
        { arms: [arm], users, durationMs: oneTurnMs, turnTransactions, seed, firstRow: row, sameRow: true },
        turnTransactions * transactionMs,
      );
      cpuUs[arm] += Math.max(0, ledgers[arm].readSettledUs() - beforeUs);
      generatorCpuUs += turn.cpuUs;
      performed.push({ number: turn.number, group });
    }
  }
  const elapsedUs = (performance.now() - fromMs) * 1000;
  const ofTurns = await Promise.all(
    performed.map(async ({ number, group }) =>
      (await crew.transactions(number, users)).map((each) => ({ ...each, pair: String(group) })),
    ),
  );
  return { transactions: ofTurns.flat(), elapsedUs, generatorCpuUs, cpuUs };
}

/** So short that it ends with the first turn. */
const oneTurnMs = 0.001;

/** Counts a window on each arm, and groups its pairs. A group in which something failed is left out. */
export function countWindow(
  { transactions, elapsedUs, generatorCpuUs, cpuUs }: Turns,
  { arms, turnTransactions }: Pick<AskedWindow, 'arms' | 'turnTransactions'>,
  countOf: (arm: Arm) => SampleCount,
): WindowResult {
  const pairs = Map.groupBy(transactions, ({ pair }) => pair);
  const succeeded = byArm(() => 0);
  const spentUs = byArm(() => 0);
  for (const each of transactions) {
    countOf(each.arm).add(each, true);
    if (each.failure !== null) continue;
    succeeded[each.arm]++;
    spentUs[each.arm] += each.latencyMs * 1000;
  }
  const wholeUs = arms.reduce((sum, arm) => sum + spentUs[arm], 0);
  for (const arm of arms) {
    const share = wholeUs === 0 ? 0 : spentUs[arm] / wholeUs;
    countOf(arm).addTime(spentUs[arm], spentUs[arm], generatorCpuUs * share);
  }
  const armOf = (arm: Arm) => ({ transactions: succeeded[arm], cpuUs: cpuUs === null ? null : cpuUs[arm] });
  return {
    elapsedUs: Math.round(elapsedUs),
    arms: byArm(armOf),
    latenciesUs: Float32Array.from(
      [...pairs.values()].flatMap((pair) => latenciesOf(pair, arms, turnTransactions)),
    ),
    generatorCpuUs,
    groups: pairs.size,
  };
}

/** In µs, of each arm the mean of its turn. */
function latenciesOf(pair: readonly Transaction[], arms: readonly Arm[], turn: number): number[] {
  if (pair.some(({ failure }) => failure !== null) || pair.length !== turn * arms.length) return [];
  return arms.map(
    (arm) => (pair.reduce((sum, each) => sum + (each.arm === arm ? each.latencyMs : 0), 0) / turn) * 1000,
  );
}
