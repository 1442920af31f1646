import { createHash } from 'node:crypto';
import { Agent, type ClientRequestArgs, type IncomingMessage, request } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PreflightSide } from '../../../shared/preflight.ts';
import type { Step } from '../../../shared/scenario.ts';
import type { Dialer } from './dialer.ts';
import { explainExchange } from './explain-exchange.ts';
import type { Inspection } from './inspect-side.ts';
import { Obstacle } from './obstacle.ts';
import { endpointOf, hostOf } from './origin.ts';

/** A step's response, and what is needed besides to judge it. */
export type Answer = {
  step: Step;
  response: PreflightSide['responses'][number];
  secureCookies: string[];
  /** The server closes the connection after this response. */
  closes: boolean;
};

/** One transaction: the steps in order, with the connections that the policy gives it and the generator's headers. */
export async function* walkTransaction(dialer: Dialer, inspection: Inspection): AsyncGenerator<Answer> {
  const agent = new DialingAgent(dialer, inspection.connectionPolicy !== 'connection-per-request');
  try {
    for (const step of inspection.scenario.steps) yield await send(step, agent, dialer);
  } finally {
    agent.destroy();
  }
}

/** Hands the dialer's connections to Node's HTTP client, which need not know whether there is TLS in them. */
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

async function send(step: Step, agent: Agent, dialer: Dialer): Promise<Answer> {
  const patience = AbortSignal.any([dialer.signal, AbortSignal.timeout(dialer.timeoutMs)]);
  try {
    const response = await respond(step, agent, dialer, patience);
    const answer = await readAnswer(step, response);
    if (answer.response.status === 400 && (await isTlsInDisguise(dialer))) throw swapped(dialer);
    return answer;
  } catch (error) {
    if (error instanceof Obstacle) throw error;
    if (!patience.aborted && (await isTlsInDisguise(dialer))) throw swapped(dialer);
    throw explainExchange(error, step, dialer, patience.aborted);
  }
}

function respond(step: Step, agent: Agent, dialer: Dialer, signal: AbortSignal): Promise<IncomingMessage> {
  const { listener } = dialer;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: listener.address,
      port: listener.port,
      method: step.method,
      path: step.path,
      headers: headersOf(step, hostOf(listener)),
      signal,
    });
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(step.body);
  });
}

/** The same as the load generator sends. */
function headersOf(step: Step, host: string): Record<string, string> {
  const given = Object.fromEntries(
    Object.entries(step.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const hasBody = step.body !== undefined || ['POST', 'PUT', 'PATCH'].includes(step.method);
  const length = hasBody ? { 'content-length': String(Buffer.byteLength(step.body ?? '')) } : {};
  return { host, accept: '*/*', 'user-agent': 'tls-toll', ...given, ...length };
}

async function readAnswer(step: Step, incoming: IncomingMessage): Promise<Answer> {
  const hash = createHash('sha256');
  let bodyBytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bodyBytes += chunk.length;
  }
  const { headers } = incoming;
  const cookies = headers['set-cookie'] ?? [];
  return {
    step,
    response: {
      step: step.name,
      status: incoming.statusCode ?? 0,
      httpVersion: incoming.httpVersion,
      contentEncoding: encodingOf(headers['content-encoding']),
      contentType: headers['content-type'] ?? '',
      bodyBytes,
      bodySha256: hash.digest('hex'),
      location: headers.location ?? null,
      setsCookies: cookies.map(cookieName),
      serverTiming: headers['server-timing'] !== undefined,
    },
    secureCookies: cookies.filter((cookie) => /;\s*secure\s*(;|$)/i.test(cookie)).map(cookieName),
    closes: headers.connection?.toLowerCase() === 'close' || incoming.httpVersion === '1.0',
  };
}

function encodingOf(header: string | undefined): string {
  return header === undefined || header === 'identity' ? '' : header;
}

function cookieName(cookie: string): string {
  return cookie.slice(0, cookie.indexOf('=')).trim();
}

/** A TLS server hangs up on plain HTTP, or answers 400 to it. */
async function isTlsInDisguise(dialer: Dialer): Promise<boolean> {
  return dialer.listener.transport === 'http' && (await dialer.speaksTls().catch(() => false));
}

function swapped(dialer: Dialer): Obstacle {
  const endpoint = endpointOf(dialer.listener);
  return new Obstacle('tls', `${endpoint} speaks TLS, not plain HTTP: are the ports swapped?`);
}
