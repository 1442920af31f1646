import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import { type Arm, type AskedArms, twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import { type CellGroup, groupCells } from '../../../../shared/kinds/servers/plan/group-cells.ts';
import { serversPhases } from '../../../../shared/kinds/servers/plan/servers-duration.ts';
import type { ServersCell, ServersRequest } from '../../../../shared/kinds/servers/servers.ts';
import type { ServersEvent } from '../../../../shared/kinds/servers/servers-progress.ts';
import type { ServersFacts, ServersVisit } from '../../../../shared/kinds/servers/servers-result.ts';
import { type Random, seedRandom, shuffle } from '../../../method/statistics/random.ts';
import { type OpenTarget, openTarget } from '../../../targets/open-target.ts';
import { realApparatus } from '../../apparatus.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { Task, Watch } from '../../kind.ts';
import { Progress } from '../../progress.ts';
import { readVisit } from '../analyse/cell-result.ts';
import { readServerHeader } from './read-server-header.ts';
import { type Stand, visitCell } from './visit-cell.ts';

export const serversAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: ['http', 'https'] };

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
): Promise<void> {
  const apparatus = house.apparatus ?? realApparatus;
  const visited = new Set(blocks.map(placeOf));
  let visits = visited.size;
  const before = { rounds: Math.floor(visits / facts.cells.length), steps: visits % facts.cells.length };
  const phases = () => serversPhases(request, facts.cells, visited.size);
  const progress = new Progress({ phases, counts: { round: 'round', step: 'cell' }, before }, tell);
  const ticker = setInterval(() => progress.tell(), progressEveryMs);
  let noted = facts;
  let random: Random = seedRandom(facts.seed);
  const generator = await apparatus.startGenerator(1, signal);
  try {
    for (let round = 0; round < request.rounds; round++) {
      const groups = shuffle(groupCells(facts.cells), random);
      random = groups.next;
      for (const group of groups.value) {
        const cells = shuffle(group.cells, random);
        random = cells.next;
        const servers = new StartedServers(group, prepare, house, signal);
        try {
          for (const cell of cells.value) {
            if (!visited.has(placeOf({ round, cell: cell.index }))) await keepVisit(cell, round, servers);
          }
        } finally {
          await servers.stop();
        }
      }
    }
  } finally {
    clearInterval(ticker);
    await generator.stop();
  }

  async function keepVisit(cell: ServersCell, round: number, of: StartedServers): Promise<void> {
    const seed = (facts.seed + 7919 * visits) % 2 ** 31;
    const block: ServersVisit = { round, cell: cell.index, arms: null, failure: null, machine: null };
    try {
      const target = await of.open();
      const { serverSoftware } = of;
      const stand: Stand = { target, serverSoftware, generator, apparatus };
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

const progressEveryMs = 1000;

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

/** Called with servers that have just started. */
type Prepare = (target: OpenTarget<Arm>) => Promise<void>;

/** The servers of a group: started when they are needed, and again after they were stopped. */
class StartedServers {
  readonly #group: CellGroup;
  readonly #prepare: Prepare;
  readonly #house: ConfiguredHouse;
  readonly #signal: AbortSignal;
  #target: OpenTarget<Arm> | null = null;
  #death = new AbortController();
  /** What they call themselves in their answers. */
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
