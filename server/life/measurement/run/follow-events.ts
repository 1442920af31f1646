import type { ToldEvent } from '../../../kinds/told-event.ts';

/** One reader of a log in memory: a place in it, so a slow reader costs nothing and misses nothing. */
export type Follower = { wake(): void; mention(event: ToldEvent): void; stop(): void; end(): void };

type Listener = { onEvent(event: ToldEvent): void | Promise<void>; onEnd(): void };

/** @param events grows at its end only */
export function startFollower(
  events: readonly ToldEvent[],
  afterId: number,
  { onEvent, onEnd }: Listener,
): Follower {
  let place = events.findIndex(({ id }) => id !== null && id > afterId);
  if (place < 0) place = events.length;
  // Who claims to have read further than the log goes is still told of its end.
  const last = events.at(-1);
  if (place === events.length && last?.type === 'end') place--;
  /** The latest of each type, because a slow reader needs no older ones. */
  const mentioned = new Map<string, ToldEvent>();
  let open = true;
  let reading = false;

  async function read(): Promise<void> {
    if (reading) return;
    reading = true;
    try {
      for (let event = next(); open && event !== undefined; event = next()) {
        const told = onEvent(event);
        if (told !== undefined) await told;
        if (event.type === 'end') return end();
      }
    } catch {
      // Whoever cannot be told has gone.
      end();
    } finally {
      reading = false;
    }
  }

  function next(): ToldEvent | undefined {
    if (place < events.length) return events[place++];
    const [mention] = mentioned.values();
    if (mention !== undefined) mentioned.delete(mention.type);
    return mention;
  }

  function end(): void {
    if (!open) return;
    open = false;
    onEnd();
  }

  queueMicrotask(() => void read());
  return {
    wake: () => void read(),
    mention(event) {
      mentioned.set(event.type, event);
      void read();
    },
    stop() {
      open = false;
    },
    end,
  };
}
