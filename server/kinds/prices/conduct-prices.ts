import { problem } from '../../../shared/base/problem.ts';
import type {
  PriceCell,
  PriceRound,
  PricesFacts,
  PricesRequest,
} from '../../../shared/kinds/prices/prices.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import type { Round } from '../../measure/rounds.ts';
import { seedOf } from '../../measure/rounds.ts';
import { openTarget } from '../../targets/open/open-target.ts';
import { type ConfiguredHouse, realApparatus } from '../apparatus.ts';
import { demandStillHere } from '../demand-here.ts';
import type { Task, Watch } from '../kind.ts';
import { Progress, whileAlive } from '../progress.ts';
import { cellsOf, sizesOf } from './price-cells.ts';
import { generatorOf, PriceStand, pricesAsked } from './price-stand.ts';

type PriceTimes = {
  /** Rounds that are stored: enough for an interval of each price, and each long beside the moments in which a neighbor slows a core. */
  rounds: number;
  /** Caches and pools fill, and just-in-time compilers compile. */
  warmUpMs: number;
};

const usualTimes: PriceTimes = { rounds: 12, warmUpMs: 6000 };
/** Starting the server and the generators. */
const startS = 6;

/** Measures every cell of the list in turns. Whatever happens, the server and the generators are gone when it returns. */
export async function conductPrices(
  { request, facts: planned, blocks }: Task<PricesRequest, PricesFacts, PriceRound>,
  { signal: cancelled, tell, keep }: Watch<PricesFacts, PriceRound>,
  house: ConfiguredHouse,
  { rounds, warmUpMs } = usualTimes,
): Promise<void> {
  const apparatus = house.apparatus ?? realApparatus;
  const phases = [
    { name: 'preparing' as const, seconds: startS + warmUpMs / 1000 },
    { name: 'measuring' as const, seconds: request.seconds, rounds },
  ];
  const before = { rounds: blocks.length, steps: 0 };
  const progress = new Progress(
    { phases: () => phases, counts: { round: 'round', step: null }, before },
    tell,
  );
  const cells = cellsOf(request);
  const generators = new Map<string, Generator>();
  const open = (signal: AbortSignal) =>
    openTarget({ target: withDocuments(request), ...pricesAsked }, house, signal);
  try {
    await progress.during(async () => {
      progress.enter('preparing');
      for (const name of new Set(cells.map(generatorOf)))
        generators.set(name, await apparatus.startGenerator(1, cancelled));
      await whileAlive(cancelled, open, async (target, signal) => {
        demandStillHere(target.listeners);
        if (target.listeners.baseline.pid === null || target.listeners.comparison.pid === null)
          throw problem(
            'target_unreachable',
            'The server’s process cannot be read, so its CPU is unknown, and prices are CPU. Run TLS Toll on its machine, as its user or as root.',
          );
        const pids = [...generators.values()].flatMap((generator) => generator.pids);
        const [anyGenerator] = generators.values();
        const placement = await apparatus.place({ ...(anyGenerator as Generator), pids }, target);
        let programs: string[] = [];
        const stand = new PriceStand(request, cells, generators, target, apparatus, async (all) => {
          programs = all.map(({ name }) => name);
        });
        const negotiated = await stand.connect();
        const looked = await stand.look(signal);
        demandSmallest(looked);
        const cores = apparatus.coresOf(target.listeners.baseline);
        const measured = looked.filter(({ problem }) => problem === null);
        await stand.warmUp(measured, planned.seed, warmUpMs, signal);
        const { server } = target;
        await keep({ facts: { ...planned, server, cores, placement, negotiated, programs, cells: looked } });
        progress.enter('measuring');
        for (let round = blocks.length; round < rounds; round++) {
          await keep({
            block: await measureRound(
              round,
              measured,
              stand,
              (request.seconds * 1000) / rounds,
              planned.seed,
              signal,
            ),
          });
          progress.endRound();
        }
      });
    });
  } finally {
    await Promise.allSettled([...generators.values()].map((generator) => generator.stop()));
  }
}

async function measureRound(
  round: number,
  cells: readonly PriceCell[],
  stand: PriceStand,
  ms: number,
  seed: number,
  signal: AbortSignal,
): Promise<PriceRound> {
  const taken: Round<string>[] = [];
  await stand.clear();
  for await (const each of stand.rounds(cells, seedOf(seed, round), ms, signal)) taken.push(each);
  return { round, cells: await stand.sum(cells, taken) };
}

/** Throws not_comparable: all prices are differences from the smallest request. */
function demandSmallest(cells: PricesFacts['cells']): void {
  const [first] = cells;
  const failed = cells.find(
    ({ bytes, requestsPerConnection, problem }) =>
      problem !== null && requestsPerConnection === null && bytes === first?.bytes,
  );
  if (failed === undefined) return;
  throw problem('not_comparable', `The smallest request cannot be measured. ${failed.problem}`);
}

function withDocuments(request: PricesRequest): PricesRequest['target'] {
  const { target } = request;
  const documents = sizesOf(request).filter((bytes) => bytes !== null);
  return target.kind === 'managed' ? { ...target, documents } : target;
}
