import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { type AskedArms, sideNames } from '../../../shared/base/transport.ts';
import {
  columnValues,
  type MemoryLadder,
  type PriceArm,
  type PriceCell,
  type PricedColumn,
  type PriceRound,
  type PricesFacts,
  type PricesRequest,
} from '../../../shared/kinds/prices/prices.ts';
import type { ServerKey } from '../../../shared/target/server-options.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import { type Round, seedOf } from '../../measure/rounds.ts';
import type { OpenTarget } from '../../targets/open/open-target.ts';
import { openTarget } from '../../targets/open/open-target.ts';
import { type Apparatus, type ConfiguredHouse, realApparatus } from '../apparatus.ts';
import { demandStillHere } from '../demand-here.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress, whileAlive, withProcesses } from '../progress.ts';
import { climbLadder } from './conduct-memory.ts';
import { askedWithStream, type Generators, generatorOf, PriceStand } from './conduct-price-cells.ts';
import { cellsOf, handshakeCells, pricesAsked, sizesOf } from './price-cells.ts';

type PriceTimes = {
  /** Rounds that are stored: enough for an interval of each price, and each long beside the moments in which a neighbor slows a core. */
  rounds: number;
  /** Caches and pools fill, and just-in-time compilers compile. */
  warmUpMs: number;
  /** Fresh processes of the server whose memory is read; those of a garbage-collected one differ. */
  processes: number;
  /** Both over HTTP show what the prices of a server that is compared with itself are. */
  transports?: typeof pricesAsked.transports;
};

const usualTimes: PriceTimes = { rounds: 12, warmUpMs: 6000, processes: 3 };
/** Starting the server and the generators. */
const startS = 6;

/** Measures every cell of the list in turns. Whatever happens, the server and the generators are gone when it returns. */
export async function conductPrices(
  { request, facts: planned }: Task<PricesRequest, PricesFacts, PriceRound>,
  { signal: cancelled, tell, keep }: Watch<PricesFacts, PriceRound>,
  house: ConfiguredHouse,
  { rounds, warmUpMs, processes, transports } = usualTimes,
): Promise<void> {
  const apparatus = house.apparatus ?? realApparatus;
  const asked = transports === undefined ? askedWithStream(request.target) : { ...pricesAsked, transports };
  // A server that runs already cannot be started anew.
  const ladders = (request.target.kind === 'origins' ? 1 : processes) * sideNames.length;
  const columns = (request.columns ?? []).flatMap((column) =>
    columnValues[column].map((value) => ({ column, value })),
  );
  const phases = [
    { name: 'preparing' as const, seconds: startS + warmUpMs / 1000 },
    { name: 'measuring' as const, seconds: request.seconds, rounds },
    ...(columns.length === 0
      ? []
      : [{ name: 'columns' as const, seconds: columns.length * columnS, steps: columns.length }]),
    ...(request.memory ? [{ name: 'memory' as const, seconds: ladders * ladderS, steps: ladders }] : []),
  ];
  const progress = new Progress({ phases: () => phases, counts: { round: 'round', step: null } }, tell);
  const open =
    <Name extends string>(asked: AskedArms<Name>) =>
    (signal: AbortSignal) =>
      openTarget({ target: withDocuments(request), ...asked }, house, signal);
  let facts = planned;
  const measure = async (target: OpenTarget<PriceArm>, generators: Generators, signal: AbortSignal) => {
    const found = await prepareStand(
      { request, ...cellsAsked(request, asked) },
      target,
      generators,
      apparatus,
      { ...planned, warmUpMs },
      signal,
    );
    facts = { ...planned, ...found.facts };
    await keep({ facts });
    progress.enter('measuring');
    for (let round = 0; round < rounds; round++) {
      const extent = { seed: planned.seed, ms: (request.seconds * 1000) / rounds };
      await keep({ block: await measureRound(round, found, extent, signal) });
      progress.endRound();
    }
  };
  await progress.during(async () => {
    progress.enter('preparing');
    await withProcesses(cancelled, async (start) => {
      const generators = new Map<string, Generator>();
      for (const name of new Set(cellsAsked(request, asked).cells.map(generatorOf)))
        generators.set(name, await start(apparatus.startGenerator(1, cancelled)));
      await whileAlive(cancelled, open(asked), (target, signal) => measure(target, generators, signal));
      if (columns.length > 0) progress.enter('columns');
      const priced: PricedColumn[] = [];
      for (const of of columns) {
        priced.push(
          await priceColumn(of, request, { generators, apparatus, house, cancelled, seed: planned.seed }),
        );
        progress.advance();
        facts = { ...facts, columns: priced };
        await keep({ facts });
      }
    });
    if (!request.memory) return;
    progress.enter('memory');
    const memory: MemoryLadder[] = [];
    while (memory.length < ladders)
      await whileAlive(cancelled, open(pricesAsked), async ({ listeners }, signal) => {
        demandStillHere(listeners);
        for (const side of sideNames) {
          memory.push(await climbLadder(side, listeners[side], request, apparatus, signal));
          progress.advance();
        }
        await keep({ facts: { ...facts, memory } });
      });
  });
}

/** Four rounds, and starting a server. */
const columnS = 18;
const columnRounds = 4;
const columnMs = 15_000;
const columnWarmUpMs = 1500;

type Column = Pick<PricedColumn, 'column' | 'value'>;
type Place = {
  generators: Generators;
  apparatus: Apparatus;
  house: ConfiguredHouse;
  cancelled: AbortSignal;
  seed: number;
};

/** Prices new connections with one key, group, or version. Whatever the server or its library lacks is its problem, not the list’s. */
async function priceColumn(
  { column, value }: Column,
  request: PricesRequest,
  { generators, apparatus, house, cancelled, seed }: Place,
): Promise<PricedColumn> {
  const documents = withDocuments(request);
  const target =
    column === 'key' && documents.kind === 'managed' ? { ...documents, key: value as ServerKey } : documents;
  const tls = column === 'key' ? defaultTlsProfile : { ...defaultTlsProfile, [column]: value };
  const priced: PricedColumn = { column, value, problem: null, cells: [], rounds: [] };
  try {
    await whileAlive(
      cancelled,
      (signal) => openTarget({ target, ...pricesAsked }, house, signal),
      async (opened, signal) => {
        demandStillHere(opened.listeners);
        const stood = { request, cells: handshakeCells(request), arms: pricesAsked.arms, tls };
        const { comparison } = opened.listeners;
        const placed = { ...opened, listeners: { ...opened.listeners, stream: comparison } };
        const stand = new PriceStand(stood, generators, placed, apparatus, async () => {});
        await stand.connect();
        priced.cells = await stand.look(signal);
        const measured = priced.cells.filter(({ problem }) => problem === null);
        await stand.warmUp(measured, seed, columnWarmUpMs, signal);
        for (let round = 0; round < columnRounds; round++)
          priced.rounds.push(
            await measureRound(round, { stand, measured }, { seed, ms: columnMs / columnRounds }, signal),
          );
      },
    );
  } catch (error) {
    if (!(error instanceof ProblemError) || cancelled.aborted) throw error;
    return { column, value, problem: error.problem.detail, cells: [], rounds: [] };
  }
  return priced;
}

/** Opening 2,000 connections in four steps, and waiting until the memory has settled. */
const ladderS = 9;

/** Both of its sides have the same cells, and HTTP/2 has one where it is asked for. */
function cellsAsked(request: PricesRequest, { arms }: AskedArms<PriceArm>) {
  return { arms, cells: cellsOf(request, { hasStream: arms.some(({ name }) => name === 'stream') }) };
}

async function prepareStand(
  stood: { request: PricesRequest } & ReturnType<typeof cellsAsked>,
  target: OpenTarget<PriceArm>,
  generators: Generators,
  apparatus: Apparatus,
  { seed, warmUpMs }: { seed: number; warmUpMs: number },
  signal: AbortSignal,
) {
  demandStillHere(target.listeners);
  const pids = [...generators.values()].flatMap((generator) => generator.pids);
  const [anyGenerator] = generators.values();
  const placement = await apparatus.place({ ...(anyGenerator as Generator), pids }, target);
  let programs: string[] = [];
  const stand = new PriceStand(stood, generators, target, apparatus, async (all) => {
    programs = all.map(({ name }) => name);
  });
  const negotiated = await stand.connect();
  if (!stand.readsCpu)
    throw problem(
      'target_unreachable',
      'A price list needs the server’s CPU, but its process cannot be read. Run TLS Toll on its machine, as its user or as root.',
    );
  const cells = await stand.look(signal);
  demandSmallest(cells);
  const measured = cells.filter(({ problem }) => problem === null);
  await stand.warmUp(measured, seed, warmUpMs, signal);
  const cores = apparatus.coresOf(target.listeners.baseline);
  const server = withoutStream(target.server);
  return { stand, measured, facts: { server, cores, placement, negotiated, programs, cells } };
}

/** The configuration of the server with HTTP/2 differs from that of HTTPS only in HTTP/2. */
function withoutStream(server: OpenTarget<PriceArm>['server']): PricesFacts['server'] {
  if (server === null) return null;
  return {
    ...server,
    files: server.files.flatMap(({ arm, ...file }) => (arm === 'stream' ? [] : [{ arm, ...file }])),
  };
}

type Prepared = { stand: PriceStand; measured: readonly PriceCell[] };

async function measureRound(
  round: number,
  { stand, measured }: Prepared,
  { seed, ms }: { seed: number; ms: number },
  signal: AbortSignal,
): Promise<PriceRound> {
  const taken: Round<string>[] = [];
  await stand.clear();
  for await (const each of stand.rounds(measured, seedOf(seed, round), ms, signal)) taken.push(each);
  return { round, cells: await stand.sum(measured, taken) };
}

/** Throws not_comparable: all prices are differences from the smallest request. */
function demandSmallest(cells: PricesFacts['cells']): void {
  const [first] = cells;
  const failed = cells.find(
    ({ arm, bytes, requestsPerConnection, problem }) =>
      problem !== null && requestsPerConnection === null && bytes === first?.bytes && arm !== 'stream',
  );
  if (failed === undefined) return;
  throw problem('not_comparable', `The smallest request cannot be measured. ${failed.problem}`);
}

function withDocuments(request: PricesRequest): PricesRequest['target'] {
  const { target } = request;
  const documents = sizesOf(request).filter((bytes) => bytes !== null);
  return target.kind === 'managed' ? { ...target, documents } : target;
}
