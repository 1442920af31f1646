import { type RunEvent, runEventSchema } from '../shared/kinds/comparison/block.ts';

export type HeardEvent = { atMs: number; event: RunEvent };

/** A run's events as a test hears them, over a connection of its own. */
export type EventFollower = {
  /** All so far, oldest first; `atMs` is when each arrived, on the clock of `Date.now()`. */
  heard: readonly HeardEvent[];
  /** The first event, heard already or to come, that is meant. Fails when the stream ends without it. */
  until(isMeant: (heard: HeardEvent) => boolean): Promise<HeardEvent>;
};

export function followEvents(runsUrl: string, id: string): EventFollower {
  const heard: HeardEvent[] = [];
  const wakeUps = new Set<() => void>();
  let over: Error | null = null;
  const wake = () => {
    for (const wakeUp of wakeUps) wakeUp();
    wakeUps.clear();
  };

  void (async () => {
    try {
      for await (const event of readEvents(`${runsUrl}/api/v1/measurements/${id}/events`)) {
        heard.push({ atMs: Date.now(), event });
        wake();
      }
      over = new Error('The stream of events ended before the event that was waited for.');
    } catch (error) {
      over = error instanceof Error ? error : new Error(String(error));
    }
    wake();
  })();

  return {
    heard,
    async until(isMeant) {
      for (;;) {
        const found = heard.find(isMeant);
        if (found !== undefined) return found;
        if (over !== null) throw over;
        await new Promise<void>((resolve) => wakeUps.add(resolve));
      }
    },
  };
}

export const isBlock = ({ event }: HeardEvent) => event.type === 'block';
export const isEnd = ({ event }: HeardEvent) => event.type === 'end';

async function* readEvents(url: string): AsyncGenerator<RunEvent> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}.`);
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: ?(.*)$/m.exec(message)?.[1];
      if (data !== undefined) yield runEventSchema.parse(JSON.parse(data));
    }
  }
}
