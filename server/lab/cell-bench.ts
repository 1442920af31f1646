import type { SecureContext } from 'node:tls';
import type { LabCell } from '../../shared/lab.ts';
import type { KeyName } from '../../shared/lab-names.ts';
import { type Contexts, connectOnce } from './connection.ts';
import { type Configuration, clientContext, serverContext } from './contexts.ts';
import { type Identity, issueCertificate } from './issue-certificate.ts';
import { type Observed, observe } from './observe.ts';
import { connectPlain } from './plain-pair.ts';
import type { Turn } from './read-wire.ts';
import { type Samples, timeEach } from './samples.ts';

/**
 * What one process keeps of the lab: its keys, and one context for each configuration and end. A fresh context for every
 * connection would cost more than agreeing a key does.
 */
export class CellBench {
  readonly #identities = new Map<KeyName, Promise<Identity>>();
  readonly #clients = new Map<string, SecureContext>();
  readonly #servers = new Map<string, SecureContext>();

  /** Makes what the cell needs and looks at what it sends. Rejects with what the library says against it. */
  async prepare(cell: LabCell): Promise<Observed> {
    const contexts = await this.#contextsOf(cell);
    return observe(contexts, cell, () => this.#openSession(contexts, cell));
  }

  /** So many connections, one after the other; those that resume take one session, made beforehand. */
  async visit(cell: LabCell, connections: number): Promise<Samples> {
    const contexts = await this.#contextsOf(cell);
    const session = await this.#openSession(contexts, cell);
    return timeEach(connections, () => connectOnce(contexts, { cell, session }));
  }

  /** The same without TLS. */
  visitPlain(turns: readonly Turn[], bytes: number, connections: number): Promise<Samples> {
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
  async #contextsOf(cell: LabCell): Promise<Contexts> {
    const client = this.clientOf(cell);
    return { client, server: await this.serverOf(cell) };
  }

  async #openSession(contexts: Contexts, cell: LabCell): Promise<Buffer | null> {
    if (cell.resumption === 'full') return null;
    return sessionOf((call) => connectOnce(contexts, { cell: { ...cell, bytes: 1 }, ...call }));
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
