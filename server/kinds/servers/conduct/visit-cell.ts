import { byArm, byArmInTurn } from '../../../../shared/base/arms.ts';
import { tlsProfileSchema } from '../../../../shared/base/tls-profile.ts';
import { type Arm, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import { cellSuite } from '../../../../shared/kinds/servers/plan/cell-suite.ts';
import type { ServersCell } from '../../../../shared/kinds/servers/servers.ts';
import type { ServersVisit, VisitArm } from '../../../../shared/kinds/servers/servers-result.ts';
import { pathScenario } from '../../../../shared/scenario/path-scenario.ts';
import { burstLength, discardedShare } from '../../../base/addresses/burst-length.ts';
import type { Burst, SlotOptions } from '../../../drive/load/messages.ts';
import type { Generator } from '../../../drive/load/start-generator.ts';
import { rounds, type Turn } from '../../../measure/rounds.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { watchMachine } from '../../../targets/sampling/watch-machine.ts';
import { problemOf } from '../../../targets/target-problem.ts';
import { type Apparatus, readingsHere } from '../../apparatus.ts';
import { abCountsOf } from '../report/ab-counts-of.ts';

const requestTimeoutMs = 5000;
/** Of each arm, where four requests of a connection take no longer. */
const burstMs = 50;
type Sums = {
  inWindow: number;
  windowUs: number;
  cpuUs: number | null;
  generatorUs: number;
  succeeded: number;
};

/** The servers of a group, ready to be visited cell by cell. */
export type Stand = {
  target: OpenTarget<Arm>;
  /** What the server calls itself in its answers. */
  serverSoftware: string;
  generator: Generator;
  apparatus: Apparatus;
  /** How long a visit takes. */
  visitMs: number;
};

/**
 * One visit: every connection as fast as it can, in short bursts on the arms in random order, so that each arm shares the
 * machine's moments with the others. Throws what keeps the cell from being measured.
 */
export async function visitCell(
  { settings }: ServersCell,
  stand: Stand,
  seed: number,
  signal: AbortSignal,
): Promise<Pick<ServersVisit, 'arms' | 'machine'>> {
  const { target, generator, apparatus, visitMs } = stand;
  const arms = Object.keys(target.listeners) as Arm[];
  const readings = readingsHere(target.listeners, apparatus);
  await generator.configure({
    listeners: arms.map((arm) => target.listeners[arm]),
    scenario: pathScenario([`/${settings.document}.html`], null),
    tls: tlsProfileSchema.parse({
      version: settings.protocol,
      resumption: settings.resumption ? 'tickets' : 'none',
      cipher: cellSuite(settings),
      // Of every server's: some have X25519MLKEM768 and some have not, which would stand between them.
      group: 'X25519',
    }),
    connectionPolicy: settings.keepAlive ? 'keep-alive' : 'connection-per-request',
    connections: settings.concurrency,
    requestTimeoutMs,
  });
  let perS = Number.POSITIVE_INFINITY;
  for (const arm of arms) {
    signal.throwIfAborted();
    const { errors } = await generator.prepare(arm);
    if (errors.length > 0) throw problemOf(errors, 'opening its connections');
    const { transactionsInWindow, windowUs } = await generator.burst(arm, slotOf(burstMs));
    perS = Math.min(perS, (1e6 * transactionsInWindow) / windowUs);
    await generator.clear(arm);
  }
  // A visit holds a round of all arms.
  const longestMs = visitMs / arms.length;
  const users = settings.concurrency;
  const turnMs = burstLength({ users, perS }, burstMs, longestMs);
  const turns = arms.map((arm): Turn<Arm> => ({ arm, users, burstMs: turnMs }));
  const sums = byArm(
    arms,
    (): Sums => ({ inWindow: 0, windowUs: 0, cpuUs: 0, generatorUs: 0, succeeded: 0 }),
  );
  const machineSince = watchMachine(apparatus);
  let targetUs: number | null = 0;
  let generatorUs = 0;
  const bench = {
    arms: twoSidesAndTwin,
    generator,
    readings,
    readHost: apparatus.readHost,
    beforeRound: null,
  };
  for await (const round of rounds(bench, () => turns, { seed, ms: visitMs, signal })) {
    for (const { arm, burst } of round.turns) addBurst(sums[arm], burst, round.cpuUs?.[arm] ?? null);
    targetUs = round.targetUs === null || targetUs === null ? null : targetUs + round.targetUs;
    generatorUs += round.generatorUs;
  }
  const { stealRatio, foreignRatio } = machineSince(targetUs, generatorUs);
  return {
    arms: await byArmInTurn(arms, (arm) => armOf(arm, sums[arm], stand)),
    machine: stealRatio === null ? null : { stealRatio, foreignRatio: foreignRatio ?? 0 },
  };
}

function slotOf(durationMs: number): SlotOptions {
  return { durationMs, discardMs: durationMs * discardedShare, ratePerS: null };
}

/** CPU per request is a ratio of these sums: a mean must contain what few bursts pay for, such as garbage collection. */
function addBurst(sum: Sums, burst: Burst, cpuUs: number | null): void {
  sum.inWindow += burst.transactionsInWindow;
  sum.windowUs += burst.windowUs;
  sum.succeeded += burst.succeeded;
  sum.generatorUs += burst.cpuUs;
  sum.cpuUs = cpuUs === null || sum.cpuUs === null ? null : sum.cpuUs + cpuUs;
}

async function armOf(arm: Arm, sum: Sums, { target, generator, serverSoftware }: Stand): Promise<VisitArm> {
  const load = await generator.collect(arm);
  const { latencyUs, errors } = load;
  const { hostname, port } = target.listeners[arm];
  if (sum.succeeded === 0) throw problemOf(errors, 'the visit');
  return {
    perS: sum.inWindow / (sum.windowUs / 1e6),
    cpuUs: sum.cpuUs === null ? null : sum.cpuUs / sum.succeeded,
    generatorCpuUs: sum.generatorUs / sum.succeeded,
    medianUs: latencyUs.count === 0 ? null : latencyUs.p50,
    requests: sum.succeeded,
    errors: errors.reduce((count, group) => count + group.count, 0),
    ab: arm === 'twin' ? null : { ...abCountsOf(load), serverSoftware, hostname, port },
  };
}
