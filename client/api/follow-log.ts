export type Connection = 'connecting' | 'open' | 'reconnecting';
type LogMessage = { id: number; type: string; text: string };
type Listener = { hear(message: LogMessage): void; tell(connection: Connection): void };
type Stream = { close(): void };

const reopenMs = 2000;
/** What is measured tells every second how far it is; a stream that says nothing for so long may be lost. */
const longestSilenceMs = 30_000;
/** A log is read to its present in less. */
const catchUpMs = 2000;

/**
 * Listens to a log until its `end`, from the start: a listener must pass over ids that it has seen. A browser lends one host six
 * connections, for all of its tabs together, so of the tabs that show the same log one listens and tells the others. Where a page has no
 * locks, as over plain HTTP from another machine, each listens for itself.
 * @param types of the events; a server may name its events after them
 */
export function followLog(address: string, types: readonly string[], listener: Listener): () => void {
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
  channel.onmessage = ({ data }: MessageEvent<LogMessage | { connection: Connection }>) =>
    'connection' in data ? take.tell(data.connection) : take.hear(data);
  left.signal.addEventListener('abort', () => channel.close());
  const lead = () => {
    if (left.signal.aborted) return undefined;
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
    const missed = listen(take);
    window.setTimeout(() => missed.close(), catchUpMs);
    // Rejects when nobody is here any more.
    locks.request(address, { signal: left.signal }, lead).catch(() => {});
    return undefined;
  });
  return () => left.abort();
}

/** The browser reconnects by itself; a stream that it gives up, such as after a restart of the server, is opened anew. */
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
