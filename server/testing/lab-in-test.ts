import { type Program, startProgram } from './program-in-test.ts';
import { openServerInTest, type ServerInTest } from './server-in-test.ts';

/**
 * For tests of what a measurement lives through: a server as a program of its own, and the cheapest thing that it
 * measures, as its users see both.
 */
export type LabInTest = {
  program: Program;
  url: string;
  /** Queues a grid of one cell, for a runner with these labels. */
  create(
    connections: number,
    headers?: Record<string, string>,
    labels?: Record<string, string>,
  ): Promise<Answer>;
  /** Queues one that takes until it is ended. */
  createLong(labels?: Record<string, string>): Promise<Answer>;
  /** Any request of the API. */
  ask(method: string, path: string, headers?: object, body?: object): Promise<Answer>;
  /** The permalink's document. */
  read(id: string): Promise<Answer>;
  cancel(id: string): Promise<Answer>;
  remove(id: string, deleteToken: string): Promise<Answer>;
  health(): Promise<Answer>;
  runners(): Promise<Answer>;
  watch(id: string): Watched;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
type Answer = { status: number; body: any };

type LabEventInTest = {
  type: string;
  phase?: string;
  state?: string;
  queuePosition?: number | null;
  detail?: string;
};

/** Takes two minutes unless it is ended, waits most of that time for a long way, and stores a part every second. */
export const longMeasurement = { kind: 'distance', links: ['30ms'], rounds: 100 };

export const isMeasuring = ({ type, phase }: LabEventInTest) => type === 'progress' && phase === 'measuring';

/** Somebody who watches: events as they come, and what came before. */
type Watched = {
  events: readonly LabEventInTest[];
  /** The first event, past or to come, of which this is true; throws when the stream ends without. */
  until(isIt: (event: LabEventInTest) => boolean): Promise<LabEventInTest>;
};

export async function startLabServer(environment: NodeJS.ProcessEnv): Promise<LabInTest> {
  const program = startProgram('server/edge/main.ts', [], { PORT: '0', LOG_LEVEL: 'silent', ...environment });
  const [, url = ''] = await program.prints(/listens on (\S+)/);
  return { program, ...labAt(url) };
}

/** The server in this process, for what needs no process that is killed. */
export async function openLab(
  directory: string,
): Promise<Omit<LabInTest, 'program'> & Pick<ServerInTest, 'close'>> {
  const { url, close } = await openServerInTest(directory);
  return { close, ...labAt(url) };
}

function labAt(url: string): Omit<LabInTest, 'program'> {
  async function ask(method: string, path: string, headers = {}, body?: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        Origin: url,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }
  return {
    url,
    ask,
    create: (connections, headers, labels) =>
      ask('POST', '/api/v1/measurements', headers, {
        kind: 'handshakes',
        grid: { keys: ['P-256'], groups: ['X25519'] },
        connections,
        ...(labels !== undefined && { labels }),
      }),
    createLong: (labels) =>
      ask(
        'POST',
        '/api/v1/measurements',
        {},
        { ...longMeasurement, ...(labels !== undefined && { labels }) },
      ),
    read: (id) => ask('GET', `/l/${id}.json`),
    cancel: (id) => ask('POST', `/api/v1/measurements/${id}/cancel`, {}, { keep: true }),
    remove: (id, deleteToken) =>
      ask('DELETE', `/api/v1/measurements/${id}`, { 'X-Delete-Token': deleteToken }),
    health: () => ask('GET', '/api/v1/health'),
    runners: () => ask('GET', '/api/v1/runners'),
    watch: (id) => watch(`${url}/api/v1/measurements/${id}/events`),
  };
}

function watch(url: string): Watched {
  const events: LabEventInTest[] = [];
  let over: unknown = null;
  let changed = Promise.withResolvers<void>();
  const tell = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  readEvents(url, (event) => {
    events.push(event);
    tell();
  })
    .then(
      () => new Error('the stream ended'),
      (error: unknown) => error,
    )
    .then((reason) => {
      over = reason;
      tell();
    });
  return {
    events,
    async until(isIt) {
      for (;;) {
        const found = events.find(isIt);
        if (found !== undefined) return found;
        if (over !== null)
          throw new Error(`no such event: ${JSON.stringify(events.slice(-5))}`, { cause: over });
        await changed.promise;
      }
    },
  };
}

async function readEvents(url: string, onEvent: (event: LabEventInTest) => void): Promise<void> {
  const { status, body } = await fetch(url);
  if (body === null || status !== 200) throw new Error(`the events were answered with ${status}`);
  let text = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const messages = (text + piece).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data:(.*)$/m.exec(message)?.[1];
      if (data !== undefined) onEvent(JSON.parse(data));
    }
  }
}
