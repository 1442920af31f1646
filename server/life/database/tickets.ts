import type { Transaction } from 'kysely';
import pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import { isOlder, type Labels, labelsTextSchema } from '../../../shared/measurement/runner.ts';
import { hasLabels, printLabels } from '../../../shared/measurement/runner-labels.ts';
import { problemOfDatabaseError } from './data-directory.ts';
import type { Tables } from './packed-text.ts';

/**
 * The queue of a database that several share: pg-boss holds a ticket for each measurement that waits. There is a queue for each set
 * of labels and each version, whose name says both, so a runner takes from those that fit it. A ticket is added and taken in the
 * transaction that changes its measurement, which alone says who has it: a lost ticket or one too many is not possible.
 */
export type Tickets = {
  /** @param first whether it goes before what waits already */
  add(transaction: Transaction<Tables>, id: string, wanted: Wanted, first?: boolean): Promise<void>;
  /** The ID of the next measurement that fits; those with the most labels first. Null when there is none. */
  take(transaction: Transaction<Tables>, runner: Wanted): Promise<string | null>;
  close(): Promise<void>;
};

/** `version` of the dashboard that asked, or of the runner that takes. */
export type Wanted = { version: string; labels: Labels };

const prefix = 'measure';

export async function openTickets(connectionString: string): Promise<Tickets> {
  const boss = new PgBoss({
    ...{ connectionString, application_name: 'tls-toll-queue', max: 2 },
    // Tickets are deleted when they are taken, so there is nothing to watch over.
    ...{ supervise: false, schedule: false },
  });
  // The failing call throws the error.
  boss.on('error', () => {});
  await boss.start().catch(rethrow);
  const known = new Set<string>();

  async function open(name: string): Promise<void> {
    if (known.has(name)) return;
    await boss.createQueue(name, { retentionSeconds: 10 * 365 * 24 * 3600 }).catch(rethrow);
    known.add(name);
  }

  async function fitting(runner: Wanted): Promise<string[]> {
    const queues = await boss.getQueues().catch(rethrow);
    return queues
      .flatMap(({ name }) => {
        const wanted = parseName(name);
        if (wanted === null || isOlder(runner.version, wanted.version)) return [];
        return hasLabels(runner.labels, wanted.labels) ? [{ name, wanted }] : [];
      })
      .toSorted((a, b) => Object.keys(b.wanted.labels).length - Object.keys(a.wanted.labels).length)
      .map(({ name }) => name);
  }

  return {
    async add(transaction, id, wanted, first = false) {
      const name = printName(wanted);
      await open(name);
      await boss.send(
        name,
        { id },
        { db: fromKysely(transaction.withoutPlugins()), priority: first ? 1 : 0 },
      );
    },
    async take(transaction, runner) {
      const db = fromKysely(transaction.withoutPlugins());
      for (const name of await fitting(runner)) {
        const [ticket] = await boss.fetch<{ id: string }>(name, { db });
        if (ticket === undefined) continue;
        await boss.deleteJob(name, ticket.id, { db });
        return ticket.data.id;
      }
      return null;
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Names of queues have letters, digits, dots, hyphens and slashes: `measure/0.1.0/cpu.arm/site.fra`. */
function printName({ version, labels }: Wanted): string {
  const parts = printLabels(labels).split(',').filter(Boolean);
  return [prefix, version, ...parts.map((part) => part.replace('=', '.'))].join('/');
}

function parseName(name: string): Wanted | null {
  const [first, version, ...parts] = name.split('/');
  if (first !== prefix || version === undefined) return null;
  return { version, labels: labelsTextSchema.parse(parts.map((part) => part.replace('.', '=')).join(',')) };
}

function rethrow(error: unknown): never {
  throw problemOfDatabaseError(error);
}

export type Signals = {
  /** Returns a function that ends it. */
  listen(listener: (signal: Signal) => void): () => void;
  close(): Promise<void>;
};

/** How soon a connection that broke is made again. */
const againMs = 1_000;

export function openSignals(options: pg.ClientConfig): Signals {
  const listeners = new Set<(signal: Signal) => void>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function tell(signal: Signal): void {
    for (const listener of listeners) listener(signal);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...options, keepAlive: true });
    next.on('error', () => {});
    next.on('notification', ({ payload = '' }) => tell(parse(payload)));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch {
      await next.end().catch(() => {});
      return later();
    }
    if (closed) return void (await next.end());
    client = next;
    next.once('end', later);
    tell({ about: 'missed', id: '' });
  }

  function later(): void {
    client = null;
    if (closed) return;
    timer = setTimeout(() => void connect(), againMs);
    timer.unref();
  }

  void connect();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}

function parse(payload: string): Signal {
  const [, about = '', id = '', text] = /^(\S*) ?(\S*) ?(.*)$/s.exec(payload) ?? [];
  if (about === 'progress' && text !== undefined) return { about, id, text };
  if (about === 'events' || about === 'wish' || about === 'queue' || about === 'stop') return { about, id };
  return { about: 'missed', id: '' };
}

/**
 * Signals between processes on one PostgreSQL, by NOTIFY. A signal only wakes its listeners, who then read the tables. After
 * `missed`, they read all of them.
 */
export type Signal =
  | { about: 'events' | 'wish' | 'queue' | 'stop' | 'missed'; id: string }
  /** Progress of a measurement, as text. It is in no table. */
  | { about: 'progress'; id: string; text: string };

export const channel = 'tls_toll';
