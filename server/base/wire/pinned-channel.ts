import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { connect, createServer as createSecureServer, type TLSSocket } from 'node:tls';
import { ownSocket } from '../process/children.ts';
import { listenAt } from '../process/listeners.ts';
import { reasonOf } from '../text/foreign-errors.ts';

/** Lets through `perS` a second, and that many at once after a second of silence. */
export class TokenBucket {
  readonly #perS: number;
  #left: number;
  #atMs: number;

  constructor(perS: number, nowMs: number) {
    this.#perS = perS;
    this.#left = perS;
    this.#atMs = nowMs;
  }

  take(nowMs: number): boolean {
    this.#left = Math.min(this.#perS, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perS);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

type PinnedServer = { port: number; server: Server; close(): Promise<void> };

type Options = {
  host: string;
  port: number;
  /** PEM. */
  identity: { certificatePem: string; keyPem: string };
  /** How long a TLS handshake may take. */
  handshakeMs: number;
  /** Connections with the token, at once. */
  mostFriends: number;
  /**
   * Begins the conversation.
   * @param introduce to call once the other end has proved that it has the token; returns whether there is a place for it
   */
  converse(socket: TLSSocket, introduce: () => boolean): void;
};

/** Listens over TLS 1.3, and keeps strangers from taking the places of those with the token. Throws address_in_use, invalid_environment. */
export async function servePinned({
  host,
  port,
  identity,
  handshakeMs,
  mostFriends,
  converse,
}: Options): Promise<PinnedServer> {
  const sockets = new Set<Socket>();
  const limit = new ConnectionLimit(performance.now(), mostFriends);
  const secured = createSecureServer(
    {
      ...{ cert: identity.certificatePem, key: identity.keyPem },
      ...{ minVersion: 'TLSv1.3', handshakeTimeout: handshakeMs },
    },
    (socket) => converse(socket, () => limit.introduce(idOf(socket))),
  );
  secured.on('tlsClientError', (_error, socket) => socket.destroy());
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }, (raw) => {
    const id = idOf(raw);
    const leave = () => raw.destroy();
    if (!limit.admit(id, raw.remoteAddress ?? '', performance.now(), leave)) return raw.destroy();
    sockets.add(raw);
    raw.once('close', () => {
      sockets.delete(raw);
      limit.left(id);
    });
    secured.emit('connection', raw);
  });
  await listenAt(server, { host, port });
  return {
    port: (server.address() as AddressInfo).port,
    server,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The same for a TCP connection and for the TLS on it. */
function idOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

type Connection = { address: string; introduced: boolean; leave(): void };

/** Connections without the token, at once. The oldest one of the address with the most makes room. */
const mostStrangers = 8;
/** TLS handshakes cost CPU that a target may need. From one address, and from all addresses that never had the token. */
const mostNewPerS = { address: 10, strangers: 40 };
const mostAddresses = 1000;

/**
 * Decides who may stay connected. Strangers, who have not shown the token yet, take places only from each other, so a peer with the
 * token always gets in.
 */
export class ConnectionLimit {
  readonly #connections = new Map<string, Connection>();
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #friends = new Set<string>();
  readonly #strangers: TokenBucket;
  readonly #mostFriends: number;

  /** @param mostFriends connections with the token, at once */
  constructor(nowMs: number, mostFriends: number) {
    this.#mostFriends = mostFriends;
    this.#strangers = new TokenBucket(mostNewPerS.strangers, nowMs);
  }

  /**
   * Whether a connection is let in. Another one may have to leave for it.
   * @param id of the connection
   */
  admit(id: string, address: string, nowMs: number, leave: () => void): boolean {
    if (!this.#bucketOf(address, nowMs).take(nowMs)) return false;
    if (!this.#friends.has(address) && !this.#strangers.take(nowMs)) return false;
    this.#connections.set(id, { address, introduced: false, leave });
    const strangers = [...this.#connections].filter(([, { introduced }]) => !introduced);
    if (strangers.length > mostStrangers) this.#makeRoom(strangers);
    return true;
  }

  /** It has shown the token. Returns whether there is a place for it. */
  introduce(id: string): boolean {
    const connection = this.#connections.get(id);
    if (connection === undefined) return false;
    if (connection.introduced) return true;
    const friends = [...this.#connections.values()].filter(({ introduced }) => introduced);
    if (friends.length >= this.#mostFriends) return false;
    connection.introduced = true;
    if (this.#friends.size < mostAddresses) this.#friends.add(connection.address);
    return true;
  }

  left(id: string): void {
    this.#connections.delete(id);
  }

  #makeRoom(strangers: readonly [string, Connection][]): void {
    const crowd = Map.groupBy(strangers, ([, { address }]) => address).values();
    const [most = []] = [...crowd].toSorted((a, b) => b.length - a.length);
    const [oldest] = most;
    if (oldest === undefined) return;
    this.left(oldest[0]);
    oldest[1].leave();
  }

  #bucketOf(address: string, nowMs: number): TokenBucket {
    const known = this.#buckets.get(address);
    if (known !== undefined) return known;
    // Forgotten addresses start with a full bucket; the bucket of all strangers still holds.
    if (this.#buckets.size >= mostAddresses) this.#buckets.clear();
    const bucket = new TokenBucket(mostNewPerS.address, nowMs);
    this.#buckets.set(address, bucket);
    return bucket;
  }
}

/** The SHA-256 of its certificate identifies the other end; names in the certificate do not count. */
export type PinnedAt = { address: string; port: number; fingerprint: string };

type Failures = {
  /** The other end has another key. Nothing is sent to it or read from it. Called at most once. */
  untrusted(what: string): void;
  /** @param what the rest of a sentence, such as `is not listening`. Called again when the connection ends. */
  unreachable(what: string): void;
};

/** Connects over TLS 1.3 to the end that has the certificate. */
export function connectPinned({ address, port, fingerprint }: PinnedAt, failures: Failures): TLSSocket {
  const socket = ownSocket(
    connect({
      ...{ host: address, port, minVersion: 'TLSv1.3', servername: '' },
      // The fingerprint is compared instead.
      rejectUnauthorized: false,
    }),
  );
  socket.setNoDelay(true);
  socket.once('secureConnect', () => {
    const { fingerprint256 } = socket.getPeerCertificate();
    if (fingerprint256 === fingerprint) return;
    failures.untrusted(`has another key: its SHA-256 is ${fingerprint256}`);
    socket.destroy();
  });
  socket.once('error', (error) =>
    failures.unreachable(error instanceof BadStream ? error.message : reasonOf(error)),
  );
  socket.once('close', () => failures.unreachable('closed the connection'));
  return socket;
}

class BadStream extends Error {}

/** For `socket.destroy` after input that breaks the protocol. @param what the rest of a sentence about the other end */
export function badStreamError(what: string): Error {
  return new BadStream(what);
}

const exporterLabel = 'EXPORTER-Channel-Binding';

/**
 * Derives a key for one TLS connection. Both ends derive the same key when they have the same token. It depends on the token, the
 * listener's nonce, and the connection itself (RFC 9266), so a signature made with it is invalid on any other connection. The token
 * is never sent.
 * @param purpose keeps the keys of different protocols apart
 */
export function channelKey(token: string, purpose: string, nonce: string, socket: TLSSocket): Buffer {
  const channel = socket.exportKeyingMaterial(32, exporterLabel, Buffer.alloc(0));
  return createHmac('sha256', token).update(`tls-toll ${purpose} ${nonce} `).update(channel).digest();
}
