import { ProblemError } from '../../../../shared/base/problem.ts';
import type { Arm } from '../../../../shared/base/transport.ts';
import {
  serversPhases,
  visitMs as usualVisitMs,
} from '../../../../shared/kinds/servers/plan/servers-duration.ts';
import type { ServersCell, ServersRequest } from '../../../../shared/kinds/servers/servers.ts';
import type { ServersEvent } from '../../../../shared/kinds/servers/servers-progress.ts';
import type { ServersFacts, ServersVisit } from '../../../../shared/kinds/servers/servers-result.ts';
import type { OpenTarget } from '../../../targets/open-target.ts';
import { realApparatus } from '../../apparatus.ts';
import type { ConfiguredHouse } from '../../house.ts';
import type { Task, Watch } from '../../kind.ts';
import { Progress } from '../../progress.ts';
import { readVisit } from '../analyse/cell-result.ts';
import { orderVisits } from '../plan/order-visits.ts';
import { StartedServers } from './started-servers.ts';
import { type Stand, visitCell } from './visit-cell.ts';

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
  const progress = new Progress({ phases, counts: { round: 'round', step: 'cell' }, before }, tell);
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
