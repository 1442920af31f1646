import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dialer } from './dialer.ts';
import type { Incoming, Outgoing, Visitor } from './visitor.ts';

/** Node's HTTP/1.1 client on the dialer's connections. */
export class Http1Visitor implements Visitor {
  readonly #agent: DialingAgent;

  constructor(dialer: Dialer, keepAlive: boolean) {
    this.#agent = new DialingAgent(dialer, keepAlive);
  }

  async ask({ method, path, headers, body }: Outgoing, signal: AbortSignal): Promise<Incoming> {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request({ agent: this.#agent, method, path, headers, signal });
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    const { headers: fields, httpVersion } = incoming;
    return {
      status: incoming.statusCode ?? 0,
      httpVersion,
      headers: fields,
      body: incoming,
      closes: () => fields.connection?.toLowerCase() === 'close' || httpVersion === '1.0',
    };
  }

  leave(): void {
    this.#agent.destroy();
  }
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
