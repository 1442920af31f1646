import type { LoggedEvent } from '../database/events.ts';

/**
 * One reader of a log. What is appended while it is busy waits in memory; when that grows too long it is let go and read
 * from the database again, so a slow reader costs nothing and misses nothing.
 */
export type Follower<Event> = { hear(logged: LoggedEvent<Event>): void; stop(): void };

export type FollowerOptions<Event> = {
  afterId: number;
  readAfter(id: number): Promise<LoggedEvent<Event>[]>;
  onEvent(logged: LoggedEvent<Event>): void | Promise<void>;
  /** Called once, unless stopped before: null after `end`. */
  onClose(error: unknown): void;
};

const mostWaiting = 500;

export function startFollower<Event extends { type: string }>({
  afterId,
  readAfter,
  onEvent,
  onClose,
}: FollowerOptions<Event>): Follower<Event> {
  let lastId = afterId;
  let waiting: LoggedEvent<Event>[] = [];
  let behind = true;
  let open = true;
  let wake = () => {};

  async function next(): Promise<LoggedEvent<Event>[]> {
    if (behind) {
      behind = false;
      return await readAfter(lastId);
    }
    if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    const batch = waiting;
    waiting = [];
    return batch;
  }

  async function deliver(logged: LoggedEvent<Event>): Promise<void> {
    const isEnd = logged.event.type === 'end';
    // Whoever claims to have read further than the log goes is still told of its end.
    if (!open || (logged.id <= lastId && !isEnd)) return;
    lastId = logged.id;
    await onEvent(logged);
    if (isEnd) close(null);
  }

  async function run(): Promise<void> {
    try {
      while (open) {
        for (const logged of await next()) await deliver(logged);
      }
    } catch (error) {
      close(error);
    }
  }

  function close(error: unknown): void {
    if (!open) return;
    open = false;
    onClose(error);
  }

  // Not before the caller has put this follower where it hears of new events.
  queueMicrotask(() => void run());
  return {
    hear(logged) {
      if (waiting.length >= mostWaiting) {
        waiting = [];
        behind = true;
      } else waiting.push(logged);
      wake();
    },
    stop() {
      open = false;
      wake();
    },
  };
}
