import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import type { Link } from '../../../shared/kinds/comparison/link.ts';
import { isAddress } from '../../base/addresses/target-policy.ts';
import { Alarm, DelayLine, keepAwake } from './delay-line.ts';

/** About the size to which Linux lets a connection's receive buffer grow. */
const mostOfConnection = 4 * 1024 * 1024;
const mostOfAll = 64 * 1024 * 1024;

/**
 * Bytes in flight in one direction of a link, over all connections. A sender is not read from while too many of its own bytes, or of all,
 * have not arrived: its window is full then.
 */
class InFlight {
  readonly #bytes = new Map<Socket, number>();
  readonly #paused = new Set<Socket>();
  #total = 0;

  add(from: Socket, bytes: number): void {
    const own = (this.#bytes.get(from) ?? 0) + bytes;
    this.#bytes.set(from, own);
    this.#total += bytes;
    if (own < mostOfConnection && this.#total < mostOfAll) return;
    from.pause();
    this.#paused.add(from);
  }

  arrived(from: Socket, bytes: number): void {
    this.#total -= bytes;
    const own = (this.#bytes.get(from) ?? 0) - bytes;
    if (own > 0) this.#bytes.set(from, own);
    else this.#bytes.delete(from);
    if (this.#paused.size > 0 && this.#total <= mostOfAll / 2) this.#resume();
  }

  #resume(): void {
    for (const socket of this.#paused) {
      if ((this.#bytes.get(socket) ?? 0) > mostOfConnection / 2) continue;
      this.#paused.delete(socket);
      socket.resume();
    }
  }
}

export type RelayTarget = { address: string; port: number };

/** Bytes of one packet of Ethernet, less its headers. With a rate, pieces of that size pass one after another. */
const packetBytes = 1460;
/** At high rates pieces are longer: so many ms of the rate. */
const pieceMs = 0.2;

const backlog = 1024;

/**
 * Passes bytes on between loopback listeners and targets, each way after half the round trip.
 *
 * The kernel accepts a connection at once, where a path takes a round trip. So nothing is read from a client during its first
 * round trip: what it sends meanwhile enters the link when it would have, and everything after that happens on time.
 * Congestion windows are not imitated: a path sends no more than about 14 kB in the first flight of a connection.
 */
export class Relay {
  readonly #alarm = new Alarm(() => this.#release());
  #lines: DelayLine[] = [];
  #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #letSleep: (() => void) | null = null;

  /** Listens for each target, on a link of its own; resolves with the ports, in the same order. */
  async open(link: Link, targets: readonly RelayTarget[]): Promise<number[]> {
    await this.#alarm.ready;
    this.#letSleep ??= keepAwake();
    return Promise.all(targets.map((target) => this.#listen(link, target)));
  }

  close(): void {
    for (const server of this.#servers.splice(0)) server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#lines = [];
    this.#letSleep?.();
    this.#letSleep = null;
  }

  async #listen({ roundTripMs, mbitPerS }: Link, target: RelayTarget): Promise<number> {
    const half = roundTripMs / 2;
    const opening = new DelayLine(roundTripMs, null);
    const forth = new Way(new DelayLine(half, mbitPerS), mbitPerS, (line) => this.#wait(line));
    const back = new Way(new DelayLine(half, mbitPerS), mbitPerS, (line) => this.#wait(line));
    this.#lines.push(opening, forth.line, back.line);
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
      const upstream = new Socket({ allowHalfOpen: true });
      for (const socket of [client, upstream]) this.#keep(socket);
      upstream.setNoDelay();
      // Nothing goes to another address than the one that was judged.
      upstream.prependOnceListener('connect', () => {
        if (!isAddress(upstream.remoteAddress, target.address)) upstream.destroy();
      });
      const to = { port: target.port, host: target.address, ...sourceFor(target, client) };
      forth.enter(0, () => upstream.connect(to));
      forth.carry(client, upstream);
      back.carry(upstream, client);
      opening.enter(performance.now(), 0, () => client.resume());
      this.#wait(opening);
    });
    this.#servers.push(server);
    server.listen({ host: '127.0.0.1', port: 0, backlog });
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #release(): void {
    const nowMs = performance.now();
    for (const line of this.#lines) {
      line.release(nowMs);
      this.#wait(line);
    }
  }

  #wait({ nextMs }: DelayLine): void {
    this.#alarm.setFor(nextMs);
  }
}

/** On loopback it comes from where the client does, who may use many addresses for there to be ports enough. */
function sourceFor({ address }: RelayTarget, { remoteAddress }: Socket): { localAddress?: string } {
  const isSpread = /^127\./.test(address) && /^127\.(?!0\.0\.1$)/.test(remoteAddress ?? '');
  return isSpread ? { localAddress: remoteAddress as string } : {};
}

/** One direction of the link: all connections share its rate. */
class Way {
  readonly line: DelayLine;
  readonly #inFlight = new InFlight();
  readonly #pieceBytes: number;
  readonly #wait: (line: DelayLine) => void;

  constructor(line: DelayLine, mbitPerS: number | null, wait: (line: DelayLine) => void) {
    this.line = line;
    this.#pieceBytes =
      mbitPerS === null
        ? Number.POSITIVE_INFINITY
        : Math.max(packetBytes, Math.ceil((mbitPerS / 8) * 1000 * pieceMs));
    this.#wait = wait;
  }

  enter(bytes: number, deliver: () => void): void {
    this.line.enter(performance.now(), bytes, deliver);
    this.#wait(this.line);
  }

  /** All that happens to one socket happens to the other: bytes, an end of them, a reset. */
  carry(from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      this.#inFlight.add(from, bytes.length);
      for (let at = 0; at < bytes.length; at += this.#pieceBytes) {
        const piece = bytes.subarray(at, at + this.#pieceBytes);
        const arrived = () => this.#inFlight.arrived(from, piece.length);
        this.enter(piece.length, () => (to.destroyed ? arrived() : to.write(piece, arrived)));
      }
    });
    from.on('end', () => this.enter(0, () => to.end()));
    from.on('error', () => this.enter(0, () => to.resetAndDestroy()));
  }
}
