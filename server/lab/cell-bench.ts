import type { LabCell } from '../../shared/lab.ts';
import type { KeyName } from '../../shared/lab-names.ts';
import { type Contexts, connectOnce } from './connection.ts';
import { type Configuration, clientContext, serverContext } from './contexts.ts';
import { type Identity, issueCertificate } from './issue-certificate.ts';
import { type Observed, observe } from './observe.ts';
import { connectPlain } from './plain-pair.ts';
import { type Samples, timeEach } from './samples.ts';

/** All that one process keeps of the lab: keys, contexts, and what was observed of each cell. */
export class CellBench {
  readonly #identities = new Map<KeyName, Promise<Identity>>();
  readonly #contexts = new Map<string, Promise<Contexts>>();
  readonly #observed = new Map<string, Observed>();

  /** Makes what the cell needs and looks at what it sends. Rejects with what the library says against it. */
  async prepare(cell: LabCell): Promise<Observed> {
    const contexts = await this.contextsOf(cell);
    const observed = await observe(contexts, cell, () => this.openSession(cell));
    this.#observed.set(cell.id, observed);
    return observed;
  }

  /** So many connections, one after the other; those that resume take one session, made beforehand. */
  async visit(cell: LabCell, connections: number): Promise<Samples> {
    const contexts = await this.contextsOf(cell);
    const session = await this.openSession(cell);
    return timeEach(connections, () => connectOnce(contexts, { cell, session }));
  }

  /** The same without TLS, with the turns of a cell that was prepared. */
  async visitPlain(cell: LabCell, connections: number): Promise<Samples> {
    const turns = this.turnsOf(cell);
    return timeEach(connections, () => connectPlain(turns, cell.bytes));
  }

  /** One for each configuration: a fresh one for every connection would cost more than agreeing a key does. */
  contextsOf(configuration: Configuration): Promise<Contexts> {
    const { version, cipher, key, group } = configuration;
    const name = [version, cipher, key, group].join('/');
    const made = this.#contexts.get(name) ?? this.#makeContexts(configuration);
    this.#contexts.set(name, made);
    return made;
  }

  turnsOf(cell: LabCell): Observed['turns'] {
    const observed = this.#observed.get(cell.id);
    if (observed === undefined) throw new Error(`the cell ${cell.id} was not prepared`);
    return observed.turns;
  }

  /** From a full handshake; null for a cell that needs none. */
  async openSession(cell: LabCell): Promise<Buffer | null> {
    if (cell.resumption === 'full') return null;
    const contexts = await this.contextsOf(cell);
    let session: Buffer | null = null;
    const keepSession = (given: Buffer) => {
      session = given;
    };
    await connectOnce(contexts, { cell: { ...cell, bytes: 1 }, session: null, keepSession });
    if (session === null) throw new Error('the server gave no session to resume');
    return session;
  }

  async #makeContexts(configuration: Configuration): Promise<Contexts> {
    // The client's first: it knows unknown suites and groups without waiting for a key to be made.
    const client = clientContext(configuration);
    return { client, server: serverContext(configuration, await this.#identityOf(configuration.key)) };
  }

  #identityOf(key: KeyName): Promise<Identity> {
    const identity = this.#identities.get(key) ?? issueCertificate(key);
    this.#identities.set(key, identity);
    return identity;
  }
}
