import type { SecureContext } from 'node:tls';
import type { KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';
import type { Samples, Turn } from '../../../shared/kinds/handshakes/handshake-samples.ts';
import type { HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { type Call, type Contexts, connectOnce } from './connection.ts';
import { type Configuration, clientContext, serverContext } from './contexts.ts';
import { type Identity, issueCertificate } from './issue-certificate.ts';
import { type Observed, observe } from './observe.ts';
import { connectPlain } from './plain-pair.ts';
import { timeEach } from './samples.ts';

/**
 * What one process keeps of the lab: its keys, and one context for each configuration and end. A fresh context for every
 * connection would cost more than agreeing a key does.
 */
export class CellBench {
  readonly #identities = new Map<KeyName, Promise<Identity>>();
  readonly #clients = new Map<string, SecureContext>();
  readonly #servers = new Map<string, SecureContext>();

  /** Makes what the cell needs and looks at what it sends. Rejects with what the library says against it. */
  async prepare(cell: HandshakeCell): Promise<Observed> {
    const contexts = await this.#contextsOf(cell);
    return observe(contexts, cell, () => this.#meet(contexts, cell));
  }

  /**
   * So many connections, one after the other. One before them does not count: it finds the processor's caches full of another
   * cell, and gives the session that the others resume, where they do.
   */
  async visit(cell: HandshakeCell, connections: number): Promise<Samples> {
    const contexts = await this.#contextsOf(cell);
    const session = await this.#meet(contexts, cell);
    return timeEach(connections, () => connectOnce(contexts, { cell, session }));
  }

  async visitPlain(turns: readonly Turn[], bytes: number, connections: number): Promise<Samples> {
    await connectPlain(turns, bytes);
    return timeEach(connections, () => connectPlain(turns, bytes));
  }

  clientOf(configuration: Configuration): SecureContext {
    const name = nameOf(configuration);
    const context = this.#clients.get(name) ?? clientContext(configuration);
    this.#clients.set(name, context);
    return context;
  }

  async serverOf(configuration: Configuration): Promise<SecureContext> {
    const name = nameOf(configuration);
    const context =
      this.#servers.get(name) ?? serverContext(configuration, await this.#identityOf(configuration.key));
    this.#servers.set(name, context);
    return context;
  }

  /** The client's first: it knows unknown suites and groups without waiting for a key to be made. */
  async #contextsOf(cell: HandshakeCell): Promise<Contexts> {
    const client = this.clientOf(cell);
    return { client, server: await this.serverOf(cell) };
  }

  /** A full connection; its session where later ones resume, else null. */
  async #meet(contexts: Contexts, cell: HandshakeCell): Promise<Buffer | null> {
    const connect = (call: Omit<Call, 'cell'>) =>
      connectOnce(contexts, { cell: { ...cell, bytes: 1 }, ...call });
    if (cell.resumption === 'resumed') return sessionOf(connect);
    await connect({ session: null });
    return null;
  }

  #identityOf(key: KeyName): Promise<Identity> {
    const identity = this.#identities.get(key) ?? issueCertificate(key);
    this.#identities.set(key, identity);
    return identity;
  }
}

/** The last session that the server gives on a full connection. */
export async function sessionOf(
  connectWith: (call: { session: null; keepSession: (session: Buffer) => void }) => Promise<unknown>,
): Promise<Buffer> {
  const given: Buffer[] = [];
  await connectWith({ session: null, keepSession: (session) => given.push(session) });
  const session = given.at(-1);
  if (session === undefined) throw new Error('the server gave no session to resume');
  return session;
}

function nameOf({ version, cipher, key, group, guess }: Configuration): string {
  return [version, cipher, key, group, guess].join('/');
}
