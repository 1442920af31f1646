import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, DEFAULT_CIPHERS, type TLSSocket } from 'node:tls';
import { problem } from '../../../shared/base/problem.ts';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
import type { Listener, ServerWitness } from '../../../shared/target/target.ts';
import { groupName, offerOf } from '../../base/addresses/offered-tls.ts';
import { answerOf } from '../../base/wire/answer-of.ts';
import { readNegotiated } from '../../base/wire/read-negotiated.ts';
import { agreedHeader, witnessHeader, witnessPath } from './tls-settings.ts';

const timeoutMs = 10_000;

/**
 * Whether server and client see the same: two connections, of which the second offers the session of the first, each with a
 * request whose response says in a header what the server thinks. The generator's counts of resumed handshakes rest on it.
 * Throws server_failed where the ends disagree. Null for a listener without TLS, and where the two ends do not come to terms: the
 * preflight says why.
 */
export async function askWitness(listener: Listener, title: string): Promise<ServerWitness | null> {
  if (!transportFacts[listener.transport].encrypted) return null;
  try {
    const first = await visit(listener, null);
    if (first === null) return null;
    const second = await visit(listener, first.session);
    if (second === null) return null;
    const witness = {
      client: [first.client, second.client],
      server: first.server === null || second.server === null ? null : [first.server, second.server],
      agreed: first.agreed,
    };
    demandAgreement(witness, title);
    return witness;
  } catch (error) {
    if ((error as Error).name === 'ProblemError') throw error;
    throw problem(
      'server_failed',
      `${title} did not answer when asked what it resumed: ${(error as Error).message}.`,
    );
  }
}

/** Throws server_failed. */
export function demandAgreement({ client, server, agreed }: ServerWitness, title: string): void {
  if (agreed !== undefined && agreed.server !== null) {
    const seen = new Set(agreed.client.split(' '));
    if (!agreed.server.split(' ').every((word) => seen.has(word))) {
      throw problem(
        'server_failed',
        `${title} says that it negotiated ${agreed.server}, and the client says ${agreed.client}.`,
      );
    }
  }
  if (server === null || client.every((resumed, index) => resumed === server[index])) return;
  const print = (resumed: readonly boolean[]) =>
    resumed.map((each) => (each ? 'resumed' : 'full')).join(', then ');
  throw problem(
    'server_failed',
    `${title} counts its handshakes differently from the client: ${print(server)} against ${print(client)}.`,
  );
}

type Visit = {
  session: Buffer | null;
  client: boolean;
  server: boolean | null;
  agreed: NonNullable<ServerWitness['agreed']>;
};

/** With what the listener's side asks for in TLS; null where that cannot be agreed on. */
async function visit(listener: Listener, session: Buffer | null): Promise<Visit | null> {
  const { alpn, httpVersion } = transportFacts[listener.transport];
  const { hostname } = listener;
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = dial(listener, alpn, session);
  if (socket === null) return null;
  try {
    let latest: Buffer | null = null;
    socket.on('session', (received) => {
      latest = received;
    });
    const isSecure = await once(socket, 'secureConnect', { signal }).then(
      () => true,
      () => false,
    );
    if (!isSecure) return null;
    const client = socket.isSessionReused();
    const { protocol, cipher, group } = readNegotiated(socket, client, undefined);
    const headers = await (httpVersion === '2'
      ? overHttp2(socket, signal)
      : overHttp1(socket, hostname, signal));
    return {
      ...{ session: latest, client, server: readHeader(headers[witnessHeader]) },
      agreed: {
        client: [protocol, cipher, group].filter((word) => word !== null).join(' '),
        server: wordsOf(headers[agreedHeader], socket.getCipher()),
      },
    };
  } finally {
    socket.destroy();
  }
}

/** Null where the library knows no such suite or group. */
function dial(
  { address, port, hostname, ca, clientIdentity, tls, weakKey = false }: Listener,
  alpn: string,
  session: Buffer | null,
): TLSSocket | null {
  try {
    return connect({
      ...{ host: address, port, servername: hostname, ca: ca ?? undefined, ALPNProtocols: [alpn] },
      ...offerOf(tls ?? defaultTlsProfile, weakKey, DEFAULT_CIPHERS),
      ...(session === null ? {} : { session }),
      ...(clientIdentity === undefined ? {} : { cert: clientIdentity, key: clientIdentity }),
    });
  } catch {
    return null;
  }
}

async function overHttp1(socket: TLSSocket, hostname: string, signal: AbortSignal): Promise<Headers> {
  const asked = request({ createConnection: () => socket, host: hostname, path: witnessPath, signal });
  asked.end();
  const response = await answerOf(asked);
  response.resume();
  await once(response, 'end', { signal });
  return response.headers;
}

async function overHttp2(socket: TLSSocket, signal: AbortSignal): Promise<Headers> {
  const session = connectHttp2('https://localhost', { createConnection: () => socket });
  try {
    const failed = once(session, 'close', { signal });
    const stream = session.request({ ':path': witnessPath });
    stream.resume();
    const [headers] = await Promise.race([once(stream, 'response', { signal }), failed]);
    return headers ?? {};
  } finally {
    session.destroy();
  }
}

type Headers = Record<string, unknown>;

/** Null for a server that does not say; some say `-` for what they do not know, and each has names of its own. */
function wordsOf(value: unknown, suite: { name: string; standardName: string }): string | null {
  const words = String(value ?? '')
    .split(' ')
    .filter((word) => word !== '' && word !== '-')
    .map((word) => (word === suite.name ? suite.standardName : groupName(word)));
  return words.length === 0 ? null : words.join(' ');
}

const resumedWords = ['r', 'Resumed', '1', 'true'];
const fullWords = ['.', 'Initial', '0', 'false'];

/** Null for a server that does not say. */
function readHeader(value: unknown): boolean | null {
  const word = String(value);
  return resumedWords.includes(word) ? true : fullWords.includes(word) ? false : null;
}
