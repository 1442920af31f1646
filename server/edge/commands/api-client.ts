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
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { type MeasurementEvent, measurementEventSchema } from '../../../shared/measurement/kinds.ts';

/** The API as the command line uses it. Problems of the server are thrown as they are. */
export type ApiClient = {
  call<Called extends Endpoint>(endpoint: Called, call?: Call<Called>): Promise<Answer<Called>>;
  /** Every event, from the first to `end`. */
  events(id: string): AsyncGenerator<MeasurementEvent>;
  /** The bytes of a permalink's `.json`, as text. */
  readDocument(url: string): Promise<string>;
  /** Its page as one file. */
  readPage(url: string): Promise<string>;
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
    async *events(id) {
      const response = await sendBy(way, measurementEndpoints.measurementEvents, { params: { id } });
      for await (const text of readServerSentData(response)) {
        yield await understood(async () => measurementEventSchema.parse(JSON.parse(text)));
      }
    },
    readDocument: (url) => readFile(`${url}.json`),
    readPage: (url) => readFile(`${url}.html`),
    readFile: async (endpoint, call) => (await sendBy(way, endpoint, call)).text(),
  };
}

/** What another authority would have to vouch for. Source: nodejs.org/api/tls.html#x509-certificate-error-codes. */
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
    throw unreachable(origin, 'does not answer', error);
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
        controller.error(unreachable(origin, 'ended the connection', error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function unreachable(origin: string, what: string, error: unknown): ProblemError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : new Error(`${error}`);
  const { code = '' } = cause as NodeJS.ErrnoException;
  return untrusted.includes(code)
    ? problem('server_untrusted', `This machine does not trust ${origin}: ${cause.message}.`, {
        cause: error,
      })
    : problem('server_unreachable', `${origin} ${what}: ${cause.message}.`, { cause: error });
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
