import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { addressOf } from '../../shared/api/call-endpoint.ts';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { kinds } from '../../shared/results/kinds.ts';

type Numbered<Event> = { id: number; event: Event };

type EventOf<Kind extends KindName> = z.infer<(typeof kinds)[Kind]['event']>;

export function useMeasurementEvents<Kind extends KindName>(
  id: string,
  kind: Kind,
  receive: (batch: Numbered<EventOf<Kind>>[]) => void,
): Connection {
  const schema = kinds[kind].event as unknown as Schema<EventOf<Kind>>;
  return useEventLog(addressOf(measurementEndpoints.measurementEvents, { params: { id } }), schema, receive);
}

/** A screen cannot be read faster. */
const flushMs = 500;
/** Nobody sees more of a hidden page than its title, and ten of them would disturb the measurement. Not all at the same time. */
const hiddenFlushMs = () => 5_000 * (1 + Math.random());
/** Events that the tab's title, or a returning viewer, needs immediately. */
const urgent = ['state', 'measured', 'end'];

/** Listens to a log until its `end`. Events come in batches; a receiver must pass over ids that it has seen. */
function useEventLog<Event extends { type: string }>(
  address: string,
  schema: Schema<Event>,
  receive: (batch: Numbered<Event>[]) => void,
): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const receiver = useRef(receive);
  receiver.current = receive;

  useEffect(() => {
    let waiting: Numbered<Event>[] = [];
    let timer: number | undefined;

    function flush() {
      window.clearTimeout(timer);
      timer = undefined;
      if (waiting.length === 0) return;
      const batch = waiting;
      waiting = [];
      receiver.current(batch);
    }

    const unfollow = followLog(address, typesOf(schema), {
      tell: setConnection,
      hear({ id, text }) {
        const event = readEvent(schema, text);
        if (event === null) return;
        waiting.push({ id, event });
        if (event.type === 'end' || (document.hidden && urgent.includes(event.type))) flush();
        else timer ??= window.setTimeout(flush, document.hidden ? hiddenFlushMs() : flushMs);
      },
    });
    document.addEventListener('visibilitychange', flush);
    return () => {
      document.removeEventListener('visibilitychange', flush);
      window.clearTimeout(timer);
      unfollow();
    };
  }, [address, schema]);

  return connection;
}

type Schema<Event> = z.ZodType<Event> & { options: readonly { shape: { type: { value: string } } }[] };

function typesOf({ options }: Schema<unknown>): string[] {
  return options.map(({ shape }) => shape.type.value);
}

function readEvent<Event>(schema: Schema<Event>, text: string): Event | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // A line that is not an event, such as one of a newer server, is not worth losing the page for.
    return null;
  }
}

export type Connection = 'connecting' | 'open' | 'reconnecting';
type LogMessage = { id: number; type: string; text: string };
type Listener = { hear(message: LogMessage): void; tell(connection: Connection): void };
type Stream = { close(): void };

const reopenMs = 2000;
/** A measurement sends its progress every second. A stream without a message for this long may be lost. */
const longestSilenceMs = 30_000;
/** Longest time to read a log up to its present. */
const catchUpMs = 10_000;

/**
 * Listens to a log until its `end`, from the start: a listener must pass over ids that it has seen. A browser lends one host six
 * connections, for all of its tabs together, so only one of the tabs with the same log listens, and informs the others. If a page has no
 * locks, as over plain HTTP from another machine, each tab listens.
 * @param types of the events; a server may name its events after them
 */
function followLog(address: string, types: readonly string[], listener: Listener): () => void {
  const left = new AbortController();
  let lastId = 0;
  const take: Listener = {
    tell: listener.tell,
    hear(message) {
      lastId = Math.max(lastId, message.id);
      listener.hear(message);
      if (message.type === 'end') left.abort();
    },
  };
  const listen = (to: Listener) =>
    openStream(() => `${address}?lastEventId=${lastId}`, types, to, left.signal);
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) {
    listen(take);
    return () => left.abort();
  }

  const channel = new BroadcastChannel(address);
  /** Messages of the leading tab while the log before them is read; null outside that time. */
  let held: LogMessage[] | null = [];
  let silence: number | undefined;
  const release = () => {
    for (const message of held ?? []) take.hear(message);
    held = null;
  };
  // A browser may suspend the leading tab.
  const awaitMessage = () => {
    window.clearTimeout(silence);
    silence = window.setTimeout(() => listen(take), longestSilenceMs);
  };
  channel.onmessage = ({ data }: MessageEvent<LogMessage | { connection: Connection }>) => {
    awaitMessage();
    if ('connection' in data) take.tell(data.connection);
    else if (held === null) take.hear(data);
    else held.push(data);
  };
  left.signal.addEventListener('abort', () => {
    window.clearTimeout(silence);
    channel.close();
  });
  const lead = () => {
    if (left.signal.aborted) return undefined;
    window.clearTimeout(silence);
    release();
    listen({
      hear(message) {
        channel.postMessage(message);
        take.hear(message);
      },
      tell(connection) {
        channel.postMessage({ connection });
        take.tell(connection);
      },
    });
    return new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()));
  };
  void locks.request(address, { ifAvailable: true }, (lock) => {
    if (lock !== null || left.signal.aborted) return lead();
    awaitMessage();
    catchUp(listen, take, release);
    // Rejects when nobody is here any more.
    locks.request(address, { signal: left.signal }, lead).catch(() => {});
    return undefined;
  });
  return () => left.abort();
}

/** Reads the log up to the present: progress is sent but not logged. */
function catchUp(listen: (to: Listener) => Stream, take: Listener, release: () => void): void {
  const end = () => {
    window.clearTimeout(timer);
    stream.close();
    release();
  };
  const timer = window.setTimeout(end, catchUpMs);
  const stream = listen({
    tell: take.tell,
    hear(message) {
      take.hear(message);
      if (message.type === 'progress') end();
    },
  });
}

/** The browser reconnects automatically. A stream that it gives up, such as after a restart of the server, is opened again. */
function openStream(
  addressNow: () => string,
  types: readonly string[],
  { hear, tell }: Listener,
  left: AbortSignal,
): Stream {
  let source: EventSource | null = null;
  let timer: number | undefined;

  function openAfter(ms: number) {
    window.clearTimeout(timer);
    timer = window.setTimeout(open, ms);
  }

  function open() {
    source?.close();
    source = new EventSource(addressNow());
    source.onopen = () => tell('open');
    openAfter(longestSilenceMs);
    for (const type of ['message', ...types]) {
      source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
        openAfter(longestSilenceMs);
        hear({ id: Number(lastEventId), type, text: data });
      });
    }
    source.onerror = () => {
      tell('reconnecting');
      if (source?.readyState === EventSource.CLOSED) openAfter(reopenMs);
    };
  }

  function goOffline() {
    tell('reconnecting');
  }

  function close() {
    window.removeEventListener('offline', goOffline);
    window.removeEventListener('online', open);
    window.clearTimeout(timer);
    source?.close();
  }

  window.addEventListener('offline', goOffline);
  window.addEventListener('online', open);
  left.addEventListener('abort', close);
  open();
  return { close };
}
