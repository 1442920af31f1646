import { byArm, byArmInTurn } from '../../../shared/base/arms.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { tlsProfileSchema } from '../../../shared/base/tls-profile.ts';
import { type Arm, type AskedArms, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import {
  type CellGroup,
  type ServersEvent,
  serversPhases,
  visitMs as usualVisitMs,
} from '../../../shared/kinds/servers/servers.ts';
import { cellSuite } from '../../../shared/kinds/servers/servers-cells.ts';
import type {
  ServersCell,
  ServersFacts,
  ServersRequest,
  ServersVisit,
  VisitArm,
} from '../../../shared/kinds/servers/servers-result.ts';
import { pathScenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { burstLength, discardedShare } from '../../base/addresses/burst-length.ts';
import { problemOfPeer } from '../../base/text/foreign-errors.ts';
import { askOnce } from '../../base/wire/ask.ts';
import type { Burst, SlotOptions } from '../../drive/load/load-messages.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { rounds, type Turn } from '../../measure/rounds.ts';
import { type OpenTarget, openTarget } from '../../targets/open/open-target.ts';
import { targetProblem } from '../../targets/preflight/target-parts.ts';
import { watchMachine } from '../../targets/sampling/machine.ts';
import { type Apparatus, type ConfiguredHouse, readingsHere, realApparatus } from '../apparatus.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress } from '../progress.ts';
import { abCountsOf, orderVisits } from './ab-counts.ts';
import { readVisit } from './cell-document.ts';

const patienceMs = 5000;

/** Server header of a listener of plain HTTP; empty when it has none. Throws target_unreachable. */
export async function readServerHeader(
  { address, port, hostname }: Pick<Listener, 'address' | 'port' | 'hostname'>,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const place = { address, port, tls: null, host: `${hostname}:${port}` };
    const { headers } = await askOnce(place, { path }, { limitMs: patienceMs, signal });
    return headers.server ?? '';
  } catch (cause) {
    signal.throwIfAborted();
    throw problemOfPeer('target_unreachable', `${address}:${port}`, cause);
  }
}

const requestTimeoutMs = 5000;
/** Time per arm, if four requests of a connection take no longer. */
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
  /** Name of the server in its answers. */
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
      // Every server has this one. Only some have X25519MLKEM768, which would be a difference between them.
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
    if (errors.length > 0) throw targetProblem(errors, 'opening its connections');
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
  if (sum.succeeded === 0) throw targetProblem(errors, 'its turn');
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

/**
 * Round after round, every cell once: groups of cells that the same servers serve come in random order, and so do the cells
 * of a group. Servers are started anew in each round, so that what a cell finds is not that of one lucky process. A visit is
 * kept when it ends; one that fails is kept with its reason, and the next goes on with servers that were started again.
 * The order is the seed's, so a sweep that goes on makes the visits that are missing.
 */
export async function conductServers(
  { request, facts, blocks }: Task<ServersRequest, ServersFacts, ServersVisit>,
  { signal, tell, keep }: Watch<ServersFacts, ServersVisit>,
  house: ConfiguredHouse,
  visitMs = usualVisitMs,
): Promise<void> {
  const apparatus = house.apparatus ?? realApparatus;
  const visited = new Set(blocks.map(placeOf));
  let visits = visited.size;
  const before = { rounds: Math.floor(visits / facts.cells.length), steps: visits % facts.cells.length };
  const phases = () => serversPhases(request, facts.cells, visited.size);
  const progress = new Progress({ phases, counts: { round: 'round', step: 'combination' }, before }, tell);
  let noted = facts;
  const generator = await apparatus.startGenerator(1, signal);
  try {
    await progress.during(async () => {
      for (const { round, group, cells } of orderVisits(facts.cells, request.rounds, facts.seed)) {
        const servers = new StartedServers(group, prepare, house, signal);
        try {
          for (const cell of cells) {
            if (!visited.has(placeOf({ round, cell: cell.index }))) await keepVisit(cell, round, servers);
          }
        } finally {
          await servers.stop();
        }
      }
    });
  } finally {
    await generator.stop();
  }

  async function keepVisit(cell: ServersCell, round: number, of: StartedServers): Promise<void> {
    const seed = (facts.seed + 7919 * visits) % 2 ** 31;
    const block: ServersVisit = { round, cell: cell.index, arms: null, failure: null, machine: null };
    try {
      const target = await of.open();
      const { serverSoftware } = of;
      const stand: Stand = { target, serverSoftware, generator, apparatus, visitMs };
      Object.assign(block, await visitCell(cell, stand, seed, AbortSignal.any([signal, of.died])));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProblemError)) throw error;
      block.failure = error.problem.detail;
      // Whatever it was: the next cell finds servers that nothing has happened to.
      await of.stop();
    }
    await keep({ block });
    tell(describeVisit(block, cell));
    progress.advance();
    if (++visits % facts.cells.length === 0) progress.endRound();
  }

  async function prepare(target: OpenTarget<Arm>): Promise<void> {
    const placement = await apparatus.place(generator, target);
    const { server } = target;
    if (server === null || noted.servers.some(({ name }) => name === server.name)) return;
    noted = { ...noted, placement, servers: [...noted.servers, server] };
    await keep({ facts: noted });
  }
}

function describeVisit(visit: ServersVisit, { id }: ServersCell): ServersEvent {
  const reading = readVisit('throughput', visit);
  return {
    type: 'visit',
    round: visit.round,
    cell: id,
    httpPerS: reading === null ? null : Math.exp(reading.http),
    httpsPerS: reading === null ? null : Math.exp(reading.https),
    failure: visit.failure,
  };
}

function placeOf({ round, cell }: Pick<ServersVisit, 'round' | 'cell'>): string {
  return `${round} ${cell}`;
}

const serversAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

/** Called with servers that have just started. */
type Prepare = (target: OpenTarget<Arm>) => Promise<void>;

/** The servers of a group: started when they are needed, and again after they were stopped. */
export class StartedServers {
  readonly #group: CellGroup;
  readonly #prepare: Prepare;
  readonly #house: ConfiguredHouse;
  readonly #signal: AbortSignal;
  #target: OpenTarget<Arm> | null = null;
  #death = new AbortController();
  /** Name of the servers in their answers. */
  serverSoftware = '';

  constructor(group: CellGroup, prepare: Prepare, house: ConfiguredHouse, signal: AbortSignal) {
    this.#group = group;
    this.#prepare = prepare;
    this.#house = house;
    this.#signal = signal;
  }

  /** Aborted when those that run end by themselves. */
  get died(): AbortSignal {
    return this.#death.signal;
  }

  async open(): Promise<OpenTarget<Arm>> {
    if (this.#target !== null) return this.#target;
    this.#death = new AbortController();
    const death = this.#death;
    const { target } = this.#group;
    this.#target = await openTarget({ target, ...serversAsked }, this.#house, this.#signal);
    void this.#target.died.then((sentence) => death.abort(problem('target_died', sentence)));
    await this.#prepare(this.#target);
    const [first] = this.#group.cells;
    const path = `/${first?.settings.document ?? 0}.html`;
    this.serverSoftware = await readServerHeader(this.#target.listeners.baseline, path, this.#signal);
    return this.#target;
  }

  async stop(): Promise<void> {
    const target = this.#target;
    this.#target = null;
    await target?.stop();
  }
}
