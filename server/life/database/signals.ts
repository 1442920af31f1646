import pg from 'pg';
import { channel, type Signal } from './channel.ts';

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
