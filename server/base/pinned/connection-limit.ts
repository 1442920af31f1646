import { TokenBucket } from './token-bucket.ts';

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
