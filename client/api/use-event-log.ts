import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { addressOf } from '../../shared/api/call-endpoint.ts';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { kinds } from '../../shared/measurement/kinds.ts';

export type Connection = 'connecting' | 'open' | 'reconnecting';
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

const flushMs = 500;
const reopenMs = 2000;

/**
 * Listens to a log until its `end`. Events come in batches, at most two a second, as a screen cannot be read faster.
 * The browser reconnects by itself with Last-Event-ID; a stream that it gives up, such as after a restart of the server, is
 * opened anew and replays from the start, so a receiver must pass over ids that it has seen.
 */
function useEventLog<Event extends { type: string }>(
  address: string,
  schema: Schema<Event>,
  receive: (batch: Numbered<Event>[]) => void,
): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const receiver = useRef(receive);
  receiver.current = receive;

  useEffect(() => {
    let source: EventSource | null = null;
    let waiting: Numbered<Event>[] = [];
    let flushTimer: number | undefined;
    let reopenTimer: number | undefined;
    let ended = false;

    function flush() {
      window.clearTimeout(flushTimer);
      flushTimer = undefined;
      if (waiting.length === 0) return;
      const batch = waiting;
      waiting = [];
      receiver.current(batch);
    }

    function hear(message: MessageEvent<string>) {
      const event = readEvent(schema, message.data);
      if (event === null) return;
      waiting.push({ id: Number(message.lastEventId), event });
      if (event.type === 'end') {
        ended = true;
        source?.close();
        flush();
      } else {
        flushTimer ??= window.setTimeout(flush, flushMs);
      }
    }

    function open() {
      source?.close();
      source = new EventSource(address);
      source.onopen = () => setConnection('open');
      source.onmessage = hear;
      for (const type of typesOf(schema)) source.addEventListener(type, hear as EventListener);
      source.onerror = () => {
        if (ended) return;
        setConnection('reconnecting');
        if (source?.readyState === EventSource.CLOSED) {
          window.clearTimeout(reopenTimer);
          reopenTimer = window.setTimeout(open, reopenMs);
        }
      };
    }

    function goOffline() {
      if (!ended) setConnection('reconnecting');
    }
    function goOnline() {
      if (!ended) open();
    }

    open();
    window.addEventListener('offline', goOffline);
    window.addEventListener('online', goOnline);
    return () => {
      window.removeEventListener('offline', goOffline);
      window.removeEventListener('online', goOnline);
      window.clearTimeout(flushTimer);
      window.clearTimeout(reopenTimer);
      source?.close();
    };
  }, [address, schema]);

  return connection;
}

type Schema<Event> = z.ZodType<Event> & { options: readonly { shape: { type: { value: string } } }[] };

/** A server may name its events after their type; the name adds nothing to the message. */
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
