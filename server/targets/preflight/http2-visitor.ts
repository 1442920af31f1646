import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { PassThrough } from 'node:stream';
import { schemeOf } from '../../../shared/base/transport.ts';
import { hostOf, originOf } from '../../base/addresses/origin.ts';
import { CutOff } from './cut-off.ts';
import type { Dialer } from './dialer.ts';
import type { Incoming, Outgoing, Visitor } from './visitor.ts';

/**
 * What the load generator tells a server as well. That it wants no table for compressed headers is left out: lighttpd heeds that without
 * the word that Node's client insists on (RFC 7541, section 4.2).
 */
const settings = { enablePush: false };

/** The server has not said a word of HTTP/2. */
export const notHttp2 = 'NOT_HTTP2';

/** Node's HTTP/2 client on the dialer's connections; without TLS it takes for granted that the server speaks it. */
export class Http2Visitor implements Visitor {
  readonly #dialer: Dialer;
  readonly #keepAlive: boolean;
  #session: ClientHttp2Session | null = null;
  #settled = false;
  #failure: Error | null = null;

  constructor(dialer: Dialer, keepAlive: boolean) {
    this.#dialer = dialer;
    this.#keepAlive = keepAlive;
  }

  async ask({ method, path, headers, body }: Outgoing, signal: AbortSignal): Promise<Incoming> {
    const session = await this.#ready();
    const { host: _host, ...fields } = headers;
    const { listener } = this.#dialer;
    const stream = session.request(
      {
        ':method': method,
        ':path': path,
        ':scheme': schemeOf(listener.transport),
        ':authority': hostOf(listener),
        ...fields,
      },
      { endStream: body === undefined, signal },
    );
    const answered = bodyOf(stream);
    if (body !== undefined) stream.end(body);
    const { ':status': status = 0, ...rest } = await this.#headOf(stream);
    return {
      status,
      httpVersion: '2.0',
      headers: { ...rest },
      body: answered,
      closes: () => session.closed || session.destroyed,
    };
  }

  leave(): void {
    this.#session?.destroy();
    this.#session = null;
  }

  async #ready(): Promise<ClientHttp2Session> {
    const current = this.#session;
    if (this.#keepAlive && current !== null && !current.closed && !current.destroyed) return current;
    this.leave();
    const { socket } = await this.#dialer.dial();
    const session = connect(originOf(this.#dialer.listener), { createConnection: () => socket, settings });
    this.#session = session;
    this.#settled = false;
    this.#failure = null;
    session.once('remoteSettings', () => {
      this.#settled = true;
    });
    session.on('error', (error) => {
      this.#failure ??= error;
    });
    return session;
  }

  #headOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders & { ':status'?: number }> {
    return new Promise((resolve, reject) => {
      stream.once('response', resolve);
      stream.on('error', (error) => reject(this.#explain(error)));
      stream.once('close', () => reject(this.#explain(new Error('the stream ended without a response'))));
    });
  }

  #explain(error: Error): Error {
    if (error.name === 'AbortError') return error;
    if (!this.#settled) return Object.assign(new Error(error.message, { cause: error }), { code: notHttp2 });
    return this.#failure ?? error;
  }
}

/**
 * Taken from the stream from its first byte on: a whole answer in one packet closes it before anybody could begin to read. Where the
 * connection ends first, a stream ends without an error; only the code that it closes with tells.
 */
function bodyOf(stream: ClientHttp2Stream): AsyncGenerator<Buffer> {
  const kept = stream.pipe(new PassThrough());
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => {
      kept.end();
      resolve();
    });
  });
  stream.once('error', (error) => kept.destroy(error));
  kept.on('error', () => {});
  return read();

  async function* read(): AsyncGenerator<Buffer> {
    let receivedBytes = 0;
    for await (const chunk of kept as AsyncIterable<Buffer>) {
      receivedBytes += chunk.length;
      yield chunk;
    }
    await closed;
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw new CutOff({ isReset: false, receivedBytes });
  }
}
