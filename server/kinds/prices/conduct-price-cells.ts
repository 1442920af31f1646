import { byArm, namesOf } from '../../../shared/base/arms.ts';
import { defaultTlsProfile, type NegotiatedTls, type TlsProfile } from '../../../shared/base/tls-profile.ts';
import { type AskedArms, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { Program } from '../../../shared/kinds/comparison/program.ts';
import type { LoadResult } from '../../../shared/kinds/comparison/slot.ts';
import type {
  PriceArm,
  PriceCell,
  PriceCellFacts,
  PriceSums,
  PricesRequest,
} from '../../../shared/kinds/prices/prices.ts';
import { printSize } from '../../../shared/kinds/prices/traffic.ts';
import { rootsOf } from '../../../shared/target/target.ts';
import { burstLength } from '../../base/addresses/burst-length.ts';
import type { Burst } from '../../drive/load/load-messages.ts';
import type { Generator } from '../../drive/load/start-generator.ts';
import type { LoadBench } from '../../measure/bench.ts';
import { seekPrograms, startSeeking } from '../../measure/found-programs.ts';
import { perSOf, type Round, rounds, slotOf, type Turn } from '../../measure/rounds.ts';
import { speaksHttp2 } from '../../targets/managed/find-servers.ts';
import type { OpenTarget } from '../../targets/open/open-target.ts';
import { targetProblem } from '../../targets/preflight/target-parts.ts';
import { type Apparatus, readingsHere } from '../apparatus.ts';
import { priceScenario, pricesAsked, sizesOf } from './price-cells.ts';

/** With open connections this many fill a server; more would wait in its queue. */
const keptUsers = 8;
/** With new connections a handshake keeps most users waiting, and the server handles those that are due together. */
const connectingUsers = 64;
const shortestBurstMs = 15;
const longestBurstMs = 500;
const requestTimeoutMs = 10_000;

/** Generators by how connections live and start, because a new order would close the open ones. */
export type Generators = ReadonlyMap<string, Generator>;

export function generatorOf({ requestsPerConnection, resumed }: PriceCell): string {
  return `${requestsPerConnection ?? 'kept'} ${resumed}`;
}

/** Cells that are measured, and how they connect. */
type Stood = {
  request: PricesRequest;
  cells: readonly PriceCell[];
  arms: AskedArms<PriceArm>['arms'];
  /** Without resumption, which the cells name. */
  tls?: TlsProfile;
};

/** A server with the generators that load it, cell by cell. */
export class PriceStand {
  readonly #cells: readonly PriceCell[];
  readonly #generators: Generators;
  readonly #request: PricesRequest;
  readonly #tls: TlsProfile;
  readonly #bench: LoadBench<string>;
  readonly #listeners: OpenTarget<PriceArm>['listeners'];
  readonly #arms: readonly PriceArm[];
  readonly #ours: boolean;
  /** Why it has no HTTP/2, in a sentence. */
  #noStream: string | null = null;
  readonly #turns = new Map<string, Turn<string>>();

  constructor(
    { request, cells, arms, tls = defaultTlsProfile }: Stood,
    generators: Generators,
    { listeners, ours, beforeWindow }: Pick<OpenTarget<PriceArm>, 'listeners' | 'ours' | 'beforeWindow'>,
    apparatus: Apparatus,
    found: (programs: Program[]) => Promise<void>,
  ) {
    this.#cells = cells;
    this.#arms = namesOf(arms);
    this.#tls = tls;
    this.#generators = generators;
    this.#request = request;
    const sizes = sizesOf(request);
    const [anyGenerator] = generators.values();
    this.#bench = {
      arms: cells.map(({ id }) => ({ name: id, letter: '' })),
      generator: {
        ...(anyGenerator as Generator),
        burst: (id, slot) => {
          const cell = this.#cellOf(id);
          const firstRow = Math.max(0, sizes.indexOf(cell.bytes));
          return this.#generatorOf(cell).burst(this.#connectionsOf(cell), {
            ...slot,
            firstRow,
            sameRow: true,
          });
        },
      },
      // Cells of an arm share its processes.
      readings: readingsHere(Object.fromEntries(cells.map(({ id, arm }) => [id, listeners[arm]])), apparatus),
      readHost: apparatus.readHost,
      cores: apparatus.coresOf(listeners[cells[0]?.arm ?? 'baseline']),
      beforeRound: beforeWindow,
      turnTransactions: 1,
      ...(ours || !apparatus.seesProcesses
        ? {}
        : { seek: { roots: byArm(this.#arms, (arm) => rootsOf(listeners[arm])), mayCross: true, found } }),
    };
    this.#listeners = listeners;
    this.#ours = ours;
  }

  get readsCpu(): boolean {
    return this.#bench.readings.roots !== null;
  }

  /** Opens the connections. Returns the TLS of the HTTPS side. Throws target_unreachable and the like. */
  async connect(): Promise<NegotiatedTls | null> {
    let negotiated: NegotiatedTls | null = null;
    for (const cells of Map.groupBy(this.#cells, generatorOf).values()) {
      const [cell] = cells as [PriceCell];
      const { requestsPerConnection, resumed } = cell;
      const generator = this.#generatorOf(cell);
      await generator.configure({
        listeners: this.#arms.map((arm) => this.#listeners[arm]),
        scenario: priceScenario(this.#request),
        tls: { ...this.#tls, resumption: resumed ? 'tickets' : 'none' },
        ...(requestsPerConnection === null
          ? { connectionPolicy: 'keep-alive' as const }
          : { connectionPolicy: 'requests-per-connection' as const, requestsPerConnection }),
        ...{ connections: usersOf(cell), requestTimeoutMs },
      });
      // Each open connection counts toward the limit of the server, which is often 512.
      for (const arm of new Set(cells.map((each) => this.#connectionsOf(each)))) {
        const prepared = await generator.prepare(arm);
        if (prepared.errors.length > 0 && arm === 'stream') {
          this.#noStream = 'The server does not speak HTTP/2.';
          continue;
        }
        if (prepared.errors.length > 0) throw targetProblem(prepared.errors, 'the warm-up');
        if (arm === 'comparison') negotiated ??= prepared.negotiated;
      }
    }
    return negotiated;
  }

  /** A first turn of every cell: how long its turns are to be, what it has on the wire, and whether it can be measured at all. */
  async look(signal: AbortSignal): Promise<PriceCellFacts[]> {
    const facts: PriceCellFacts[] = [];
    for (const cell of this.#cells) {
      signal.throwIfAborted();
      facts.push(await this.#lookAt(cell));
    }
    return facts;
  }

  async #lookAt(cell: PriceCell): Promise<PriceCellFacts> {
    if (cell.arm === 'stream' && this.#noStream !== null)
      return { ...cell, bytesRead: 0, bytesWritten: 0, connectionsPerRequest: 0, problem: this.#noStream };
    const generator = this.#generatorOf(cell);
    const users = usersOf(cell);
    await generator.clear(this.#connectionsOf(cell));
    const slot = slotOf({ users, burstMs: lookMs }, { firstRow: 0, sameRow: true });
    const burst = await this.#bench.generator.burst(cell.id, slot);
    const counted = await generator.collect(this.#connectionsOf(cell));
    const { requests, wireBytesRead, wireBytesWritten, connectionsOpened } = counted;
    const burstMs = burstLength({ users, perS: perSOf([burst]) }, shortestBurstMs, longestBurstMs);
    this.#turns.set(cell.id, { arm: cell.id, users, burstMs });
    const per = (sum: number) => (requests === 0 ? 0 : sum / requests);
    return {
      ...cell,
      ...{ bytesRead: per(wireBytesRead), bytesWritten: per(wireBytesWritten) },
      connectionsPerRequest: per(connectionsOpened),
      problem: problemOfLook(cell, burst, counted),
    };
  }

  /** Warms the server up, and finds the programs that work for it besides those that it consists of. */
  async warmUp(cells: readonly PriceCell[], seed: number, ms: number, signal: AbortSignal): Promise<void> {
    for await (const _ of this.rounds(cells, seed, ms, signal)) signal.throwIfAborted();
    await startSeeking(this.#bench);
    const [smallest] = cells;
    // Rounds of few turns, because many of them decide.
    const simple = cells.filter(
      (cell) => cell.bytes === smallest?.bytes && cell.requestsPerConnection === null,
    );
    const turns = this.#turnsOf(simple);
    await seekPrograms(this.#bench, [], () => turns, { seed, signal, isWarm: () => true });
  }

  /** Rounds of one turn per cell. */
  rounds(cells: readonly PriceCell[], seed: number, ms: number, signal: AbortSignal) {
    return rounds(this.#bench, () => this.#turnsOf(cells), { seed, ms, signal });
  }

  #turnsOf(cells: readonly PriceCell[]): Turn<string>[] {
    return cells.flatMap(({ id }) => this.#turns.get(id) ?? []);
  }

  /** Begins to count connections. */
  async clear(): Promise<void> {
    for (const generator of this.#generators.values())
      for (const arm of this.#arms) await generator.clear(arm);
  }

  /** Sums of the rounds since `clear`. Throws if too many of a cell's requests failed. */
  async sum(cells: readonly PriceCell[], taken: readonly Round<string>[]): Promise<PriceSums[]> {
    const turns = Map.groupBy(
      taken.flatMap((round) => round.turns),
      ({ arm }) => arm,
    );
    const sums: PriceSums[] = [];
    for (const cell of cells) {
      const counted = await this.#generatorOf(cell).collect(this.#connectionsOf(cell));
      const own = turns.get(cell.id) ?? [];
      const started = own.reduce((sum, { burst }) => sum + burst.started, 0);
      const requests = own.reduce((sum, { burst }) => sum + burst.succeeded, 0);
      if (hasFailed({ started, succeeded: requests }))
        throw targetProblem(counted.errors, `requests ${describeCell(cell)}`);
      sums.push({
        ...{ id: cell.id, requests },
        // Cells with the same connections share what opened them anew, if the server closed any.
        connections: Math.round(counted.connectionsOpened * Math.min(1, requests / counted.requests)),
        cpuUs: Math.round(own.reduce((sum, { cpuUs }) => sum + (cpuUs?.[cell.id] ?? 0), 0)),
        elapsedUs: Math.round(own.reduce((sum, { burst }) => sum + burst.elapsedUs, 0)),
      });
    }
    return sums;
  }

  #cellOf(id: string): PriceCell {
    const cell = this.#cells.find((each) => each.id === id);
    if (cell === undefined) throw new Error(`there is no cell ${id}`);
    return cell;
  }

  /**
   * Arm whose connections a cell uses. The control of a running server is the HTTP side again: connections of its own would be used by
   * one cell in 22, and come out of the caches in between (7 % dearer per request on nginx).
   */
  #connectionsOf({ arm }: PriceCell): PriceArm {
    return arm === 'twin' && !this.#ours ? 'baseline' : arm;
  }

  #generatorOf(cell: PriceCell): Generator {
    const generator = this.#generators.get(generatorOf(cell));
    if (generator === undefined) throw new Error(`nothing loads ${cell.id}`);
    return generator;
  }
}

/** `for 1 kB over HTTPS on open connections`. */
function describeCell({ arm, bytes, requestsPerConnection, resumed }: PriceCell): string {
  const what = bytes === null ? '' : `for ${printSize(bytes)} `;
  const how =
    requestsPerConnection === null
      ? 'on open connections'
      : `with ${requestsPerConnection} requests per connection`;
  return `${what}over ${armNames[arm]} ${how}${resumed ? ', resuming sessions' : ''}`;
}

const armNames: Record<PriceArm, string> = {
  ...{ baseline: 'HTTP', twin: 'HTTP', comparison: 'HTTPS', stream: 'HTTP/2' },
};

const lookMs = 60;

function usersOf({ requestsPerConnection }: PriceCell): number {
  return requestsPerConnection === null ? keptUsers : connectingUsers;
}

/** Failed requests cost CPU as well, which the others would pay for. */
const mostFailed = 0.05;

function hasFailed({ started, succeeded }: Pick<Burst, 'started' | 'succeeded'>): boolean {
  return succeeded === 0 || succeeded < started * (1 - mostFailed);
}

/** Each of several processes may know only the sessions that it began. */
const fewestResumed = 0.9;

/** Why a cell cannot be measured, from its first turn; null if it can. */
function problemOfLook(
  { bytes, resumed }: PriceCell,
  burst: Burst,
  { requests, bodyBytes, errors, handshakesFull, handshakesResumed }: LoadResult,
): string | null {
  if (hasFailed(burst)) return targetProblem(errors, 'the warm-up').message;
  if (bytes !== null && bodyBytes !== requests * bytes)
    return `The response has ${Math.round(bodyBytes / requests)} bytes instead of ${bytes}.`;
  const handshakes = handshakesFull + handshakesResumed;
  if (resumed && (handshakes === 0 || handshakesResumed < handshakes * fewestResumed))
    return `The server resumed ${handshakesResumed} of ${handshakes} sessions.`;
  return null;
}

/** The sides and the control with HTTP/2, unless the server that is started does not speak it. Whether a running one does is seen when it is connected to. */
export function askedWithStream(target: PricesRequest['target']): AskedArms<PriceArm> {
  if (!mayStream(target)) return pricesAsked;
  return {
    arms: [...twoSidesAndTwin, { name: 'stream', letter: 'S' }],
    transports: [...pricesAsked.transports, 'h2'],
  };
}

function mayStream(target: PricesRequest['target']): boolean {
  return target.kind === 'managed' ? speaksHttp2(target.server) : target.kind === 'origins';
}
