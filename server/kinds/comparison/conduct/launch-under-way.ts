import { setTimeout as pause } from 'node:timers/promises';
import { type Contrast, contrastOf, fromSides, namesOf, sidesOfArms } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import { type Arm, pairOf } from '../../../../shared/base/transport.ts';
import type { AtLoad } from '../../../../shared/kinds/comparison/at-load.ts';
import type { Block, BlockOf, WindowOf } from '../../../../shared/kinds/comparison/block.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { portShortage } from '../../../base/addresses/load-limits.ts';
import { withChildren } from '../../../measure/found-programs.ts';
import { type LockstepWindow, lockstep } from '../../../measure/lockstep.ts';
import { type Sample, samples, seedOf } from '../../../measure/rounds.ts';
import { stillFits, warmUp } from '../../../measure/warm-up.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { orderEffectOf } from '../../../method/statistics/order-effect.ts';
import { judgeWindows } from '../../../method/statistics/windows.ts';
import { targetProblem } from '../../../targets/preflight/target-parts.ts';
import { loudestOf } from '../../../targets/sampling/programs.ts';
import { errorsOf, lockstepRatios, maximumRatios, pairRatioOf } from '../block-ratios.ts';
import { rateFor } from '../plan-duration.ts';
import type { Instruments } from './block-edges.ts';
import { type BlockPlace, closeBlock, measureOpen, openBlock } from './block-under-way.ts';
import type { RunUnderWay } from './run-under-way.ts';

/** Null for a block that was measured at the wrong load. */
type Measure = (...asked: Parameters<typeof measureOneUser<Arm>>) => Promise<Block | null>;

/** Epochs in a row that errors may cost before the run is given up. */
const patience = 3;
/** Most losses of a host while the same thing is measured. A host with an unreadable answer comes back each time. */
const mostLosses = 3;

/** Warms one launch up and measures its epochs: each at load, with one user in lockstep and, where planned, in open load. */
export async function measureLaunch(
  run: RunUnderWay,
  launch: number,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<void> {
  const { plan } = run;
  const transports = fromSides(instruments.arms, pairOf(run.sides));
  const seed = seedOf(plan.seed, launch);
  const startedAtMs = Math.round(performance.now() - run.startedAtMs);
  instruments.readings.watch();
  const warmedUp = await pastLosses(instruments, () => warmUp(run, instruments, seed, signal));
  await run.beginLaunch({ index: launch, startedAtMs, pids: instruments.roots, warmUp: warmedUp });
  await run.enter('measuring');

  const measures: Measure[] = [
    atLoad(run, () => searchAnew(run, instruments, seed, signal)),
    measureOneUser,
    ...(plan.openMs === null ? [] : [measureAtRate(run)]),
  ];
  let failures = 0;
  const firstEpoch = launch === run.first.launch ? run.first.epoch : 0;
  for (let epoch = firstEpoch; run.wantsEpoch; epoch++) {
    for (const measure of measures) {
      signal.throwIfAborted();
      const index = run.blocks.length;
      const place: BlockPlace<Arm> = {
        ...{ index, launch, epoch, transports, labels: run.labels, runStartedAtMs: run.startedAtMs },
        seed: seedOf(plan.seed, launch, index),
      };
      await waitForPorts(instruments, signal);
      const measured = () => pastLosses(instruments, () => measure(place, plan, instruments, signal));
      const block = (await measured()) ?? (await measured());
      if (block === null) throw new Error('a load that was found anew does not fit');
      await run.keep(block);
      failures = block.reasons.some(({ code, spoils }) => code === 'errors' && spoils === 'all')
        ? failures + 1
        : 0;
      if (failures === patience * measures.length || isBroken(block)) throw breakdown(block, run);
    }
    await noteReadings(run, instruments);
    await notePrograms(run, instruments, epoch);
    run.endEpoch();
  }
}

/** A host that generates may be lost, and come back: what was going on then is left out and done again. */
async function pastLosses<Result>(
  { hosts }: Pick<Instruments, 'hosts'>,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let losses = 0; ; losses++) {
    try {
      return await work();
    } catch (error) {
      if (hosts === undefined || losses === mostLosses || !(await hosts.recover(error))) throw error;
    }
  }
}

/** Notes both counts of CPU, the cost of reading over a network, and the work of other hosts, more precisely with every epoch. */
async function noteReadings(run: RunUnderWay, instruments: Instruments): Promise<void> {
  const { readings, turnTransactions, hosts } = instruments;
  if (hosts !== undefined) await run.note({ hosts: await hosts.describe() });
  await run.noteLaunch({ cpuCheck: readings.cpuChecks() });
  if (readings.remote === null) return;
  await run.note({
    readings: { ...readings.remote.describe(), everyMs: run.plan.windowMs, turnTransactions },
  });
}

/** Share of the server's CPU. A program that uses less changes no figure by more than the tolerance. */
const leastBegun = 0.05;

/** How an epoch read the children of programs, and which programs began in it. */
async function notePrograms(
  run: RunUnderWay,
  { strangers, others, readings, companions = [] }: Instruments,
  epoch: number,
): Promise<void> {
  const { programs, begun = [] } = run.facts;
  if (programs !== undefined && others != null) {
    const now = withChildren(programs, others);
    if (now.some(({ children }, place) => children !== programs[place]?.children))
      await run.note({ programs: now });
  }
  if (strangers === undefined || readings.roots === null) return;
  const usedUs = sumOf(
    run.blocks.flatMap((block) =>
      block.epoch === epoch ? block.slots.map(({ target }) => target?.cpuUs ?? 0) : [],
    ),
  );
  const roots = [...Object.values(readings.roots).flat(), ...companions];
  const found = strangers.look(roots).flatMap(({ name, usedUs: us }) => {
    const share = us / Math.max(1, usedUs);
    const before = begun.find((each) => each.name === name)?.share ?? 0;
    return share > Math.max(leastBegun, before) ? [{ name, share: Number(share.toPrecision(3)) }] : [];
  });
  const names = new Set(found.map(({ name }) => name));
  const loudest = loudestOf(run.elsewhere);
  await run.note({
    ...(found.length === 0 ? {} : { begun: [...begun.filter(({ name }) => !names.has(name)), ...found] }),
    ...(loudest.length === 0 ? {} : { loudest }),
  });
}

/** Misfitting samples of a known load before a new search. */
const mostMisfits = 2;

/** @param search finds another load */
function atLoad(run: RunUnderWay, search: () => Promise<void>): Measure {
  return async (place, plan, instruments, signal) => {
    const { load } = run;
    if (load === null) throw new Error('no load was found in the warm-up');
    const { known } = run;
    const isJudged = known !== null && load.chosen === 'known' && run.blocks.length === 0;
    if (!isJudged) return measureAtLoad(place, plan, load, instruments, signal);
    let [judged, misfits] = [0, 0];
    const block = await measureAtLoad(place, plan, load, instruments, signal, ({ window, busyCores }) => {
      const others = (window.stealRatio ?? 0) + (window.foreignRatio ?? 0);
      if (judged++ < mostMisfits && !stillFits(known, busyCores, others)) misfits++;
      return misfits < mostMisfits;
    });
    if (block === null) await search();
    return block;
  };
}

/** Replaces the load of earlier runs, which no longer fits, and thereby starts a new series. */
async function searchAnew(
  run: RunUnderWay,
  instruments: Instruments,
  seed: number,
  signal: AbortSignal,
): Promise<void> {
  run.forgetLoad();
  await warmUp(run, instruments, seed, signal);
  const { load, replaced } = run;
  if (load !== null && replaced !== null)
    await run.setLoad({ ...load, instead: { users: replaced.users, at: replaced.at } });
  await run.enter('measuring');
}

/** Open load, at the rate that was asked for or at half of what the slower side has just shown that it manages. */
function measureAtRate(run: RunUnderWay): Measure {
  return async (place, plan, instruments, signal) => {
    if (plan.permit === undefined && !run.blocks.some(({ kind }) => kind === 'steady')) {
      plan.ratePerS = rateFor(plan.ratePerS, capacitiesOf(run));
      await run.note({ plan: { ...plan } });
    }
    return measureOpen(place, plan, plan.openMs ?? 0, instruments, signal);
  };
}

/** Transactions per second of the latest maximum, side by side. */
function capacitiesOf({ blocks, plan }: Pick<RunUnderWay, 'blocks' | 'plan'>): number[] {
  const windows = blocks.findLast(({ kind }) => kind === 'maximum')?.windows ?? [];
  return sidesOfArms(plan.arms).map(
    (side) =>
      windows.reduce((sum, { arms }) => sum + (arms[side].perS ?? 0), 0) / Math.max(1, windows.length),
  );
}

const portsEveryMs = 1000;
/** A closed connection holds its port for a minute. */
const longestWaitForPortsMs = 65_000;

/** Until there are ports for as many connections as the block before opened. Throws too_many_connections when there never are. */
async function waitForPorts(
  { arms, readSocketLimits, connectionsOpened }: Instruments,
  signal: AbortSignal,
): Promise<void> {
  const expected = Math.max(0, ...namesOf(arms).map((arm) => connectionsOpened.get(arm) ?? 0));
  if (readSocketLimits === null || expected === 0) return;
  const until = performance.now() + longestWaitForPortsMs;
  for (;;) {
    const shortage = portShortage(readSocketLimits(), expected);
    if (shortage === null) return;
    if (performance.now() > until) throw problem('too_many_connections', shortage);
    await pause(portsEveryMs, undefined, { signal });
  }
}

/** More than half of some slot's transactions failed. */
function isBroken(block: Block): boolean {
  return block.slots.some(({ load }) => load.started > 0 && load.succeeded < load.started / 2);
}

function breakdown(block: Block, { labels }: RunUnderWay): Error {
  return targetProblem(errorsOf([block], labels), `part ${block.index + 1} of the run`);
}

/**
 * The cost at load: samples of a second, each of about twenty rounds.
 * @param fits called after each sample; if it returns false, the block is dropped, because it was measured at the wrong load
 */
export async function measureAtLoad<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  load: AtLoad,
  instruments: Instruments<Name>,
  signal: AbortSignal,
  fits: (sample: Sample<Name>) => boolean = () => true,
): Promise<BlockOf<Name> | null> {
  const block = await openBlock(instruments);
  const taken: Sample<Name>[] = [];
  const extent = { seed: place.seed, ms: plan.maximumMs, sampleMs: plan.sampleMs, signal };
  for await (const sample of samples(instruments, load, extent, place.runStartedAtMs)) {
    if (!fits(sample)) return null;
    taken.push(sample);
  }
  const windows = judgeWindows(taken.map(({ window }) => window));
  const contrast = contrastOf(instruments.arms);
  const rated = load.ratePerS !== null;
  return closeBlock(block, place, 'maximum', plan, instruments, {
    windows,
    ratios: maximumRatios(windows, contrast, { rated }),
    carryOver: carryOverIn(taken, windows, contrast, instruments.readings.shared),
    rated,
  });
}

/**
 * Effect of the order of turns on the block's log ratios. For CPU only if arms share a process tree, which is read at every switch; a
 * separate tree is billed for whole rounds.
 */
function carryOverIn<Name extends string>(
  taken: readonly Sample<Name>[],
  windows: readonly WindowOf<Name>[],
  { of }: Contrast<Name>,
  shared: boolean,
): BlockOf<Name>['carryOver'] {
  const kept = taken.filter((_, index) => windows[index]?.aside === false).flatMap(({ rounds }) => rounds);
  const effectOn = (id: 'cpu_at_load' | 'throughput', what: 'cpu' | 'time') => {
    const turns = kept.map(({ before, order, cost }) => ({ launch: 0, before, order, logCost: cost[what] }));
    const effect = orderEffectOf(turns, of);
    return effect === null
      ? {}
      : { [id]: { center: effect.center, error: effect.error, degrees: effect.degrees } };
  };
  return { ...(shared ? effectOn('cpu_at_load', 'cpu') : {}), ...effectOn('throughput', 'time') };
}

/** One user, who runs the transaction on one arm right after the other. */
export async function measureOneUser<Name extends string>(
  place: BlockPlace<Name>,
  plan: Plan,
  instruments: Instruments<Name>,
  signal: AbortSignal,
): Promise<BlockOf<Name>> {
  const block = await openBlock(instruments);
  const contrast = contrastOf(instruments.arms);
  const taken: LockstepWindow<Name>[] = [];
  const extent = { seed: place.seed, ms: plan.lockstepMs, signal };
  for await (const window of lockstep(instruments, plan, extent, place.runStartedAtMs)) taken.push(window);
  const judged = judgeWindows(taken);
  return closeBlock(block, place, 'lockstep', plan, instruments, {
    windows: judged.map(({ groups, ...window }) => ({ ...window, ...pairRatioOf(groups, contrast) })),
    ratios: lockstepRatios(judged, contrast),
  });
}
