import { namesOf, sidesOfArms } from '../../../../shared/base/arms.ts';
import type { Launch } from '../../../../shared/kinds/comparison/run.ts';
import { usualUsers } from '../../../../shared/measurement/load-options.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { problemOfSide } from '../../../targets/target-problem.ts';
import { noLongerFalls } from '../analyse/no-longer-falls.ts';
import { burstOverHosts } from '../plan/burst-length.ts';
import { fewestTransactions } from '../plan/turn-size.ts';
import { findLoad } from './find-load.ts';
import { fitTurns } from './fit-turns.ts';
import type { LoadInstruments, LoadPlan } from './instruments.ts';
import { runWindows } from './measure-lockstep.ts';
import { runBursts } from './measure-maximum.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** Of lockstep, where turns have to be fitted to what reads the target. */
const fittingMs = 800;

/**
 * Nothing of it is kept: just-in-time compilers, caches and pools of the target are its point. All users go from arm to arm in
 * bursts until each arm has had its requests and the cost of a transaction no longer falls, or the plan's time is up. Every arm
 * gets as many bursts as the others: a process that had more would be the warmer one. With the first launch, the load is found.
 */
export async function warmUp<Name extends string>(
  run: Pick<
    RunUnderWay,
    'scenario' | 'startedAtMs' | 'warmUp' | 'load' | 'usualLoad' | 'transactionMs' | 'setLoad' | 'enter'
  > & { plan: LoadPlan; labels: Record<Name, string> },
  instruments: LoadInstruments<Name>,
  seed: number,
  signal: AbortSignal,
): Promise<Launch['warmUp']> {
  const { plan, scenario } = run;
  const { generator, readings } = instruments;
  const [arms, sides] = [namesOf(instruments.arms), sidesOfArms(instruments.arms)];
  const fromMs = performance.now();
  const users = run.load?.users ?? plan.users ?? usualUsers;
  for (const arm of arms) await generator.prepare(arm, false, users);
  let requests = 0;
  const load = { users, ratePerS: null, burstMs: run.load?.burstMs ?? plan.burstMs };
  const place = { seed, runStartedAtMs: run.startedAtMs };
  const windows = await runBursts(place, load, instruments, signal, plan.warmUp.longestMs, (all) => {
    requests += (all.at(-1)?.arms[sides[0] as Name].transactions ?? 0) * scenario.steps.length;
    run.warmUp = { requests };
    // A burst goes on until its last transaction has ended, and on a busy machine longer.
    const shortestMs = Math.min(...all.map(({ elapsedMs }) => elapsedMs));
    run.transactionMs = Math.max(0, shortestMs / arms.length - load.burstMs);
    return requests >= plan.warmUp.requests && noLongerFalls(all, sides);
  });
  for (const arm of arms) {
    if (windows.some((window) => window.arms[arm].transactions > 0)) continue;
    await demandAnswers(arm, generator, run.labels);
  }
  if (run.load === null) {
    // Busy hosts answer later than they did while they were idle.
    if (instruments.hosts !== undefined)
      plan.burstMs = burstOverHosts(plan.burstMs, instruments.hosts.idleUs());
    await run.enter('finding the load');
    await run.setLoad(await findLoad(plan, instruments, seed, signal, run.usualLoad));
  }
  if (readings.remote !== null && readings.shared) {
    instruments.turnTransactions = fewestTransactions(1000 * run.transactionMs);
    fitTurns(run, instruments, await runWindows(place, plan, instruments, signal, fittingMs));
  }
  run.warmUp = null;
  return { requests, ms: Math.round(performance.now() - fromMs) };
}

/** Throws target_died or target_errors where an arm failed. */
async function demandAnswers<Name extends string>(
  arm: Name,
  generator: Generator,
  labels: Record<Name, string>,
): Promise<void> {
  const { errors } = await generator.collect(arm);
  if (errors.length > 0) throw problemOfSide(labels[arm], errors, 'the warm-up');
}
