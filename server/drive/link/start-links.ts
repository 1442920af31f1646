import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { problem } from '../../../shared/base/problem.ts';
import { type CarriedBy, type Link, loopbackFavorsTcp } from '../../../shared/kinds/comparison/link.ts';
import { usualInitialWindow } from '../../../shared/kinds/comparison/link-text.ts';
import {
  AnswerProblem,
  type AskedProcess,
  type Questions,
  startAskedProcess,
} from '../../base/process/asked-process.ts';
import { problemOfError, Reason } from '../../base/text/foreign-errors.ts';
import { addedMs } from '../../method/statistics/estimates.ts';
import { forwarderQuestions, pingQuestions, relayQuestions } from './link-messages.ts';
import type { RelayTarget } from './relay.ts';

/** The process that carries the bytes of links. It ends with ours. */
export type Carrier = LinkProcess & {
  /** Puts a link of its own in front of each target. Rejects with an AnswerProblem, the end of a sentence, where it cannot. */
  open(link: Link, targets: readonly RelayTarget[], how?: Carrying): Promise<Carried>;
  close(): Promise<void>;
};

type Carrying = {
  /** TCP when absent, which is all that a relay carries. */
  protocol?: 'UDP';
  /** The same seed loses the same packets, counted from the first of each direction; any when absent. */
  seed?: number;
};

export type Carried = {
  /** Address at which each target is reached now, in the same order. */
  ends: RelayTarget[];
  /** The means that carries the link, with its counts so far. */
  readBy(): Promise<CarriedBy>;
};

type LinkProcess = {
  pid: number;
  stop(): Promise<void>;
  /** Resolves with a sentence, once the process has ended. */
  ended: Promise<string>;
};

/** Over the time that an answer takes. */
const graceMs = 15_000;

/** Calls reject with link_failed when the process dies or hangs. @param name the subject of its problems */
async function startLinkProcess<Asked extends Questions>(options: {
  script: URL;
  questions: Asked;
  name: string;
  signal: AbortSignal | undefined;
  refused?: (refusal: AnswerProblem) => Error;
}): Promise<AskedProcess<Asked>> {
  const started = await startAskedProcess({ ...options, code: 'link_failed', graceMs });
  return { ...started, ended: started.ended.then((how) => `${options.name} ended (${how}).`) };
}

/** The links of a measurement and the pings that watch them, in processes that end with ours. */
export type Links = {
  /** Ids of the processes now. */
  pids(): number[];
  /** Puts a link of its own in front of each target. More than one kind may be open at a time. */
  open(link: Link, targets: readonly RelayTarget[], how?: Carrying): Promise<OpenLink>;
  close(): Promise<void>;
  stop(): Promise<void>;
  /** Aborted with a problem when one of the processes dies. */
  failed: AbortSignal;
};

export type OpenLink = {
  /** Address at which each target is reached now. */
  ends: RelayTarget[];
  readBy(): Promise<CarriedBy>;
  /** Delay that the link has added to each ping since it was opened, in ms. */
  readAddedMs(): Promise<number[]>;
};

/** Nothing is this far away on a machine. */
const reachMs = 2000;
const nothing: Link = { roundTripMs: 0.1, mbitPerS: null };

/**
 * Linux TCP over a TUN device where that is possible, otherwise, and for targets on other hosts, a relay. Calls reject with the
 * problem `link_failed` when one of the processes dies or hangs, and with `link_impossible` for a link that cannot be made here.
 * @param signal ends all at once, with what is in flight
 */
export async function startLinks(signal?: AbortSignal): Promise<Links> {
  const all = new Started();
  try {
    const pings = await startPings(signal);
    all.add(pings);
    const answering = { address: '127.0.0.1', port: await pings.ask('listen', undefined) };
    const forwarder = await tryForwarder(pings, answering, signal);
    if (!(forwarder instanceof Reason)) all.add(forwarder);
    let relay: Promise<Carrier> | null = null;
    const startOnce = (why: Reason) => {
      relay ??= startRelay(why, signal).then((started) => {
        all.add(started);
        return started;
      });
      return relay;
    };
    if (forwarder instanceof Reason) await startOnce(forwarder);
    const carrierFor = (targets: readonly RelayTarget[]): Carrier | Promise<Carrier> => {
      if (forwarder instanceof Reason) return startOnce(forwarder);
      const why = whyNotForwarded(targets);
      return why === null ? forwarder : startOnce(new Reason(why));
    };
    return {
      pids: () => all.pids(),
      failed: all.failed,
      async open(link, targets, how) {
        const carrier = await carrierFor(targets);
        const known = targets.map(({ address, port }) => ({ address, port }));
        const { ends, readBy } = await carrier.open(link, [...known, answering], how).catch((error) => {
          if (!(error instanceof AnswerProblem)) throw error;
          throw problemOfError('link_impossible', 'This link cannot be set up', error);
        });
        const end = ends.pop() as RelayTarget;
        await pings.ask('ping', end, { expectedMs: 2 * link.roundTripMs });
        return {
          ...{ ends, readBy },
          async readAddedMs() {
            const { straight, linked } = await pings.ask('read', end);
            return addedMs([...straight], [...linked]);
          },
        };
      },
      async close() {
        await Promise.all([forwarder instanceof Reason ? null : forwarder.close(), (await relay)?.close()]);
      },
      stop: () => all.stop(),
    };
  } catch (error) {
    await all.stop();
    throw error;
  }
}

/** Processes that are stopped together, and none of which may end before. */
class Started {
  readonly #processes: LinkProcess[] = [];
  readonly #failure = new AbortController();
  readonly failed = this.#failure.signal;
  #isStopping = false;

  add(process: LinkProcess): void {
    this.#processes.push(process);
    void process.ended.then((sentence) => {
      if (!this.#isStopping) this.#failure.abort(problem('link_failed', sentence));
    });
  }

  pids(): number[] {
    return this.#processes.map(({ pid }) => pid);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#processes.map((each) => each.stop()));
  }
}

type Pings = AskedProcess<typeof pingQuestions>;

function startPings(signal?: AbortSignal): Promise<Pings> {
  return startLinkProcess({
    script: new URL('./ping-process.ts', import.meta.url),
    ...{ questions: pingQuestions, name: 'The process that measures the link', signal },
    refused: (refusal) => problemOfError('link_failed', 'The link failed', refusal),
  });
}

/** A forwarder whose packets come through; or why there is none. */
async function tryForwarder(
  pings: Pings,
  answering: RelayTarget,
  signal?: AbortSignal,
): Promise<Carrier | Reason> {
  let forwarder: Carrier | null = null;
  try {
    forwarder = await startForwarder(signal);
    const { ends } = await forwarder.open(nothing, [answering]);
    const [end] = ends as [RelayTarget];
    if (!(await pings.ask('reach', { end, withinMs: reachMs }, { expectedMs: reachMs })))
      throw new AnswerProblem(
        'packets of its TUN device do not arrive (let the firewall accept 127.0.0.0/8 from the interfaces tlstoll0 to tlstoll31)',
      );
    await forwarder.close();
    return forwarder;
  } catch (error) {
    await forwarder?.stop();
    if (error instanceof AnswerProblem) return error;
    throw error;
  }
}

/** A relay between sockets: it needs no privileges, and does not imitate slow start. @param reason why it is used */
export async function startRelay(reason: Reason, signal?: AbortSignal): Promise<Carrier> {
  const why = reason.message.replace(/ \(details\)$/, '');
  const { pid, ask, stop, ended } = await startLinkProcess({
    script: new URL('./relay-process.ts', import.meta.url),
    ...{ questions: relayQuestions, name: 'The relay', signal },
  });
  return {
    pid,
    async open(link, targets, { protocol } = {}) {
      const { cause } = reason;
      if (protocol === 'UDP')
        throw new AnswerProblem(
          `UDP needs a TUN device, but ${reason.message}; without a link, ${loopbackFavorsTcp}`,
          { cause },
        );
      if (needsKernel(link))
        throw new AnswerProblem(
          `loss, an initial window, and a congestion control need Linux TCP over a TUN device, but ${reason.message}`,
          { cause },
        );
      const ports = await ask('open', { link, targets: [...targets] });
      return {
        ends: ports.map((port) => ({ address: '127.0.0.1', port })),
        readBy: async () => ({ name: 'relay', why }),
      };
    },
    close: () => ask('close', undefined),
    ...{ stop, ended },
  };
}

function needsKernel({ lossPercent, initialWindow, congestionControl }: Link): boolean {
  return [lossPercent, initialWindow, congestionControl].some((part) => part !== undefined);
}

/** A path over a TUN device, with TCP and UDP of the kernel at both ends. Rejects with an AnswerProblem where it cannot be used here. */
export async function startForwarder(signal?: AbortSignal): Promise<Carrier> {
  const { pid, ask, stop, ended } = await startLinkProcess({
    script: new URL('./forwarder-process.ts', import.meta.url),
    ...{ questions: forwarderQuestions, name: 'The process that forwards packets', signal },
  });
  try {
    await ask('start', undefined);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid,
    async open(link, targets, { seed = randomInt(2 ** 32) } = {}) {
      const question = { link, targets: [...targets], seed };
      const { addresses, congestionControl } = await ask('open', question);
      const { initialWindow = usualInitialWindow } = link;
      return {
        ends: targets.map(({ port }, index) => ({ address: addresses[index] as string, port })),
        async readBy() {
          const counts = await ask('count', { addresses });
          return { name: 'kernel', initialWindow, congestionControl, ...counts };
        },
      };
    },
    close: () => ask('close', undefined),
    ...{ stop, ended },
  };
}

/** Why targets cannot be behind a TUN device, as the end of a sentence; null where they can. */
function whyNotForwarded(targets: readonly Pick<RelayTarget, 'address'>[]): string | null {
  const own = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
  for (const { address } of targets) {
    if (address.includes(':')) return `${address} is an IPv6 address`;
    if (!address.startsWith('127.') && !own.includes(address)) return `${address} is on another host`;
  }
  return null;
}
