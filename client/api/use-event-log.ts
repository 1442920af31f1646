import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { addressOf } from '../../shared/api/call-endpoint.ts';
import { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { kinds } from '../../shared/results/kinds.ts';
import { type Connection, followLog } from './event-log.ts';

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
