import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerOf } from '../../base/wire/answer-of.ts';
import { codeOf } from './check-problem.ts';
import { CutOff } from './cut-off.ts';
import type { Dialer } from './dialer.ts';
import type { Incoming, Outgoing, Visitor } from './visitor.ts';

/** Node's HTTP/1.1 client on the dialer's connections. */
export class Http1Visitor implements Visitor {
  readonly #agent: DialingAgent;

  constructor(dialer: Dialer, keepAlive: boolean) {
    this.#agent = new DialingAgent(dialer, keepAlive);
  }

  async ask({ method, path, headers, body }: Outgoing, signal: AbortSignal): Promise<Incoming> {
    const outgoing = request({ agent: this.#agent, method, path, headers, signal });
    const wire = listenIn(outgoing);
    outgoing.end(body);
    const incoming = await answerOf(outgoing).catch((error: unknown) => {
      throw wire.explain(error);
    });
    const { headers: fields, httpVersion } = incoming;
    return {
      status: incoming.statusCode ?? 0,
      httpVersion,
      headers: fields,
      body: bodyOf(incoming, wire),
      closes: () => closesAfter(fields.connection, httpVersion),
    };
  }

  leave(): void {
    this.#agent.destroy();
  }
}

function closesAfter(connection = '', httpVersion: string): boolean {
  const words = connection.toLowerCase().split(/[ \t,]+/);
  return words.includes('close') || (httpVersion === '1.0' && !words.includes('keep-alive'));
}

type Wire = {
  /** The first error of the exchange; null when there was none. */
  error(): Error | null;
  explain(error: unknown): unknown;
};

/** Counts what comes in, and keeps the first error: a body says of any end that it was aborted. */
function listenIn(outgoing: ClientRequest): Wire {
  let receivedBytes = 0;
  let first: Error | null = null;
  const count = (chunk: Buffer) => {
    receivedBytes += chunk.length;
  };
  outgoing.once('socket', (socket) => {
    socket.on('data', count);
    outgoing.once('close', () => socket.off('data', count));
  });
  outgoing.on('error', (error) => {
    first ??= error;
  });
  return {
    error: () => first,
    explain(error) {
      const cause = first ?? error;
      const isEnd = /^(ECONNRESET|EPIPE)$/.test(codeOf(cause));
      // Node says of an orderly end as well that the connection was reset, but names no system call.
      return isEnd
        ? new CutOff({ isReset: cause instanceof Error && 'syscall' in cause, receivedBytes })
        : cause;
    },
  };
}

async function* bodyOf(incoming: IncomingMessage, wire: Wire): AsyncGenerator<Buffer> {
  try {
    yield* incoming;
  } catch (error) {
    throw wire.explain(error);
  }
  // Bytes beyond its length are an error of the exchange, not of the body.
  const error = wire.error();
  if (error !== null) throw error;
}

/** Hands the dialer's connections to Node's client, which need not know whether there is TLS in them. */
class DialingAgent extends Agent {
  readonly #dialer: Dialer;
  #over = false;

  constructor(dialer: Dialer, keepAlive: boolean) {
    super({ keepAlive, maxSockets: 1 });
    this.#dialer = dialer;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback: (error: Error | null, stream: Duplex) => void,
  ): null {
    this.#dialer.dial().then(
      ({ socket }) => {
        if (this.#over) socket.destroy();
        else callback(null, socket);
      },
      // With an error there is no stream, whatever the type says.
      (error: Error) => (callback as (error: Error) => void)(error),
    );
    return null;
  }

  /** A connection that comes too late would be nobody's. */
  override destroy(): void {
    this.#over = true;
    super.destroy();
  }
}
