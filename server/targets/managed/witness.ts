import { DEFAULT_CIPHERS } from 'node:tls';
import { problem } from '../../../shared/base/problem.ts';
import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import { transportFacts } from '../../../shared/base/transport.ts';
import type { Listener, ServerWitness } from '../../../shared/target/target.ts';
import { groupName, offerOf } from '../../base/addresses/offered-tls.ts';
import { reasonOf } from '../../base/text/foreign-errors.ts';
import { dial, Line, withDeadline } from '../../base/wire/ask.ts';
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
    throw problem('server_failed', `${title} did not say what it resumed: it ${reasonOf(error)}.`);
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
function visit(listener: Listener, session: Buffer | null): Promise<Visit | null> {
  const { alpn, httpVersion } = transportFacts[listener.transport];
  const { address, port, hostname } = listener;
  return withDeadline(timeoutMs, undefined, async (hold) => {
    let latest: Buffer | null = null;
    const tls = { ...offered(listener, alpn), ...(session === null ? {} : { session }) };
    const socket = await dial({ address, port, tls }, hold).catch(() => null);
    if (socket === null) return null;
    socket.on('session', (received) => {
      latest = received;
    });
    try {
      const client = socket.isSessionReused();
      const { protocol, cipher, group } = readNegotiated(socket, client, undefined);
      // All of it is gone with the connection, which the server may end after its answer.
      const suite = socket.getCipher();
      // In TLS 1.3 a session comes after the handshake.
      if (protocol !== 'TLSv1.3') latest ??= socket.getSession() ?? null;
      const line = new Line(socket, httpVersion, { scheme: 'https', host: hostname });
      const question = { method: 'GET', path: witnessPath, headers: [], body: null };
      const { headers } = await line.ask(question, { hold });
      return {
        ...{
          session: latest,
          client,
          server: readHeader(headers[witnessHeader]),
        },
        agreed: {
          client: [protocol, cipher, group].filter((word) => word !== null).join(' '),
          server: wordsOf(headers[agreedHeader], suite),
        },
      };
    } finally {
      socket.destroy();
    }
  });
}

function offered({ hostname, ca, clientIdentity, tls, weakKey = false }: Listener, alpn: string) {
  return {
    ...{ servername: hostname, ca: ca ?? undefined, ALPNProtocols: [alpn] },
    ...offerOf(tls ?? defaultTlsProfile, weakKey, DEFAULT_CIPHERS),
    ...(clientIdentity === undefined ? {} : { cert: clientIdentity, key: clientIdentity }),
  };
}

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
