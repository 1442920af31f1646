import {
  type Answer,
  type Call,
  callEndpointBy,
  readProblem,
  sendBy,
  type Way,
} from '../../../shared/api/call-endpoint.ts';
import type { Endpoint } from '../../../shared/api/endpoint.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { isLoopback } from '../../../shared/base/addresses.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { type MeasurementEvent, measurementEventSchema } from '../../../shared/results/kinds.ts';
import { problemOfPeer } from '../../base/text/foreign-errors.ts';
import { findRunningServer } from '../../life/database/data-directory.ts';
import type { Libraries } from '../../targets/managed/tls-library.ts';
import { readConfig } from '../settings/config.ts';
import { startDashboard } from './serve.ts';

/** The API as the command line uses it. Problems of the server are thrown as they are. */
export type ApiClient = {
  call<Called extends Endpoint>(endpoint: Called, call?: Call<Called>): Promise<Answer<Called>>;
  /** Every event, from the first to `end`. */
  events(id: string, signal?: AbortSignal): AsyncGenerator<MeasurementEvent>;
  /** The bytes of a permalink's `.json`, as text. */
  readDocument(url: string): Promise<string>;
  /** Its page as one file. */
  readPage(url: string): Promise<string>;
  /** Its report in Markdown. */
  readReport(url: string): Promise<string>;
  /** The text of an endpoint that answers with a file. */
  readFile<Called extends Endpoint>(endpoint: Called, call: Call<Called>): Promise<string>;
};

export function connectTo({ url: origin, key }: { url: string; key: string | null }): ApiClient {
  const way: Way = {
    send: (address, request) =>
      reach(origin, address, {
        ...request,
        headers: {
          ...request.headers,
          Origin: origin,
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        },
      }),
    unknownAnswer: ({ status }) =>
      problem('server_unreachable', `${origin} answered ${status}, not as TLS Toll does.`),
  };
  /** Throws server_unreachable where an answer is not what this version expects. */
  const understood = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof ProblemError) throw cause;
      throw problem('server_unreachable', `${origin} answered, but not as this version of TLS Toll does.`, {
        cause,
      });
    }
  };
  const readFile = async (path: string): Promise<string> => {
    const response = await way.send(path, {});
    if (!response.ok) throw await readProblem(way, response);
    return response.text();
  };
  return {
    call: (endpoint, call = {}) => understood(() => callEndpointBy(way, endpoint, call)),
    async *events(id, signal) {
      const response = await sendBy(way, measurementEndpoints.measurementEvents, {
        params: { id },
        ...(signal && { signal }),
      });
      for await (const text of readServerSentData(response)) {
        yield await understood(async () => measurementEventSchema.parse(JSON.parse(text)));
      }
    },
    readDocument: (url) => readFile(`${url}.json`),
    readPage: (url) => readFile(`${url}.html`),
    readReport: (url) => readFile(`${url}.md`),
    readFile: async (endpoint, call) => (await sendBy(way, endpoint, call)).text(),
  };
}

/** Errors of certificates that no trusted authority signed. Source: nodejs.org/api/tls.html#x509-certificate-error-codes. */
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Throws server_unreachable, server_untrusted; so does reading the body of its answer. */
async function reach(origin: string, path: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`${origin}${path}`, request).catch((error) => {
    throw unreachable(origin, `${origin} does not answer: it`, error);
  });
  const { body } = response;
  return body === null ? response : new Response(following(origin, body), response);
}

/** The same bytes. The server may end in the middle of its answer. */
function following(origin: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(unreachable(origin, origin, error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** @param subject subject of the sentence that the reason completes */
function unreachable(origin: string, subject: string, error: unknown): ProblemError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return untrusted.includes(code)
    ? problemOfPeer('server_untrusted', origin, cause)
    : problemOfPeer('server_unreachable', subject, cause);
}

/** The data of each server-sent event, until the stream ends. */
async function* readServerSentData(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  let buffered = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffered += text;
    for (let end = buffered.indexOf('\n\n'); end >= 0; end = buffered.indexOf('\n\n')) {
      const lines = buffered.slice(0, end).split('\n');
      buffered = buffered.slice(end + 2);
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}

/** URL of a dashboard, and the key that the command line sends to it, or null for none. */
type Dashboard = { url: string; key: string | null };

/** The server that TLS_TOLL_SERVER names, or the one that runs on the data directory; null where none does. Throws invalid_environment. */
export async function findDashboard(environment: NodeJS.ProcessEnv = process.env): Promise<Dashboard | null> {
  const { TLS_TOLL_SERVER: server = '', TLS_TOLL_KEY: key = '' } = environment;
  if (server === '') {
    const { dataDirectory } = readConfig({ ...environment, HOST: '' });
    return findRunningServer(dataDirectory);
  }
  const url = URL.parse(server);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw problem('invalid_environment', 'TLS_TOLL_SERVER is an address such as https://toll.example.com.');
  }
  // Fetch would name the value in its error, and logs of CI keep that.
  if (!/^[!-~]*$/.test(key.trim())) {
    throw problem(
      'invalid_environment',
      'TLS_TOLL_KEY holds more than a key: it has spaces or several lines.',
    );
  }
  const isPlain = url.protocol === 'http:' && !isLoopback(url.hostname);
  if (isPlain && key.trim() !== '' && environment.TLS_TOLL_PLAIN !== 'allowed') {
    throw problem(
      'invalid_environment',
      `TLS_TOLL_KEY would travel to ${url.host} unencrypted. Begin TLS_TOLL_SERVER with https, or set TLS_TOLL_PLAIN=allowed in a network that you trust.`,
    );
  }
  return { url: url.origin, key: key.trim() === '' ? null : key.trim() };
}

/** Lends the dashboard that is named or runs on the data directory; null where none does, as then nothing is loaded either. */
export async function withRunningDashboard<Result>(
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result | null> {
  const running = await findDashboard();
  return running === null ? null : use(connectTo(running));
}

/**
 * Lends the dashboard that is named or runs on the data directory, or one that is started for it and closed afterwards.
 * `url` is that of a dashboard that stays; null for one that is closed.
 * @param libraries what one that is started can have its servers load. A running one would take a directory from anybody, so it takes none.
 * Throws invalid_arguments.
 */
export async function withDashboard<Result>(
  use: (api: ApiClient, url: string | null) => Promise<Result>,
  libraries: Libraries = {},
): Promise<Result> {
  const running = await findDashboard();
  const [first] = Object.entries(libraries);
  if (running !== null && first !== undefined) {
    const [name, directory] = first;
    throw problem(
      'invalid_arguments',
      `A dashboard runs at ${running.url}, and it takes no directory of a library from a command. Stop it, or start it with TLS_TOLL_LIBSSL=${name}=${directory} and use --comparison-library ${name}.`,
    );
  }
  const server = running === null ? await startOwn(libraries) : null;
  try {
    const url = running?.url ?? server?.url ?? '';
    return await use(connectTo({ url, key: running?.key ?? server?.key ?? null }), running?.url ?? null);
  } finally {
    await server?.close();
  }
}

function startOwn(libraries: Libraries) {
  const config = readConfig(process.env);
  const own = { port: 0, tls: null, libraries: { ...config.libraries, ...libraries } };
  return startDashboard({ ...config, ...own }, { repeats: false });
}
