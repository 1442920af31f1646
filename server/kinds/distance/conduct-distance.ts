import {
  type ConnectionName,
  cellOf,
  connectionNames,
  type DistanceFacts,
  type DistanceRequest,
} from '../../../shared/kinds/distance/distance.ts';
import { answerProblem } from '../../base/process/asked-process.ts';
import { type LabProcess, startLabProcess } from '../../drive/lab/handshake-lab.ts';
import { type Links, type OpenLink, startLinks } from '../../drive/link/start-links.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress, withProcesses } from '../progress.ts';
import {
  connectionsOfVisit,
  DistanceNotes,
  type DistanceVisit,
  distancePhases,
  longestOf,
  planDistance,
} from './distance-notes.ts';

/**
 * New connections over links, from the plan to figures: a client and a server of ours in a process each, and links between
 * them. No process is left behind, and what was measured is kept however it ends.
 */
export async function conductDistance(
  { request, facts: { seed } }: Task<DistanceRequest, DistanceFacts>,
  { signal, tell, keep }: Watch<DistanceFacts, never>,
): Promise<void> {
  const rounds = planDistance(request, seed);
  const notes = new DistanceNotes(request);
  const keepNotes = () => keep({ facts: { seed, ...notes.summarise() } });
  const failure = new AbortController();
  const ending = AbortSignal.any([signal, failure.signal]);
  try {
    await withProcesses(ending, async (start) => {
      const phases = () => distancePhases(request);
      const progress = new Progress({ phases, counts: { round: 'round', step: 'turn' } }, tell);
      await progress.during(async () => {
        progress.enter('preparing');
        const server = await start(startLabProcess());
        const client = await start(startLabProcess());
        const links = await start(startLinks());
        links.failed.addEventListener('abort', () => failure.abort(links.failed.reason), { once: true });
        const paths = await openPaths(request, links, server, client, notes, seed);
        progress.enter('measuring');
        for (const visits of rounds) {
          for (const visit of visits) {
            ending.throwIfAborted();
            await measure(visit, request, client, paths, notes);
            progress.advance();
          }
          ending.throwIfAborted();
          notes.endRound();
          progress.endRound();
          for (const [index, link] of paths.links.entries())
            notes.addLink(index, await link.readBy(), await link.readAddedMs());
          await keepNotes();
        }
      });
    });
  } catch (error) {
    // A visit that is stopped at the end also fails.
    ending.throwIfAborted();
    throw error;
  } finally {
    await keepNotes();
  }
}

type Paths = {
  /** Ports of the servers themselves, in the order of the connections. */
  ports: number[];
  links: OpenLink[];
};

/** A server for each kind of connection, and each of them behind every link. */
async function openPaths(
  { links: asked }: DistanceRequest,
  links: Links,
  server: LabProcess,
  client: LabProcess,
  notes: DistanceNotes,
  seed: number,
): Promise<Paths> {
  const ports: number[] = [];
  for (const name of connectionNames) {
    const cell = cellOf[name];
    const reason = await answerProblem(async () => {
      if (cell !== null) notes.prepared(name, (await client.prepare(cell)).wire.flights);
    });
    if (reason !== null) notes.refuse(name, reason);
    ports.push(await server.serve(cell));
  }
  const targets = ports.map((port) => ({ address: '127.0.0.1', port }));
  const opened: OpenLink[] = [];
  for (const [index, link] of asked.entries())
    opened.push(await links.open(link, targets, { seed: seed + index }));
  return { ports, links: opened };
}

async function measure(
  visit: DistanceVisit,
  { links }: DistanceRequest,
  client: LabProcess,
  paths: Paths,
  notes: DistanceNotes,
): Promise<void> {
  const { connection, link } = visit;
  if (!notes.isUsable(connection)) return;
  const place = placeOf(connection);
  const nearPort = paths.ports[place] as number;
  const near = { address: '127.0.0.1', port: nearPort };
  const end = (link === null ? near : paths.links[link]?.ends[place]) ?? near;
  const longestMs = longestOf(link === null ? 0 : (links[link]?.roundTripMs ?? 0));
  const reason = await answerProblem(async () => {
    const where = { ...end, nearPort, connections: connectionsOfVisit };
    notes.add(visit, [...(await client.reach(cellOf[connection], where, longestMs))]);
  });
  if (reason !== null) notes.refuse(connection, reason);
}

function placeOf(connection: ConnectionName): number {
  return connectionNames.indexOf(connection);
}
