import type { NegotiatedTls, TlsProfile } from '../../../shared/base/tls-profile.ts';
import { isEncrypted, transportFacts } from '../../../shared/base/transport.ts';
import type { RoundTrip, ServerFlight } from '../../../shared/target/preflight.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { endpointOf } from '../../base/addresses/origin.ts';
import { judgeAddress } from '../../base/addresses/target-policy.ts';
import { anotherTicket, measureRoundTrip } from './connect-once.ts';
import { type DialedConnection, Dialer, type Handshake } from './dialer.ts';
import { explainOlder, explainProtocol, explainUncompressed } from './explain-connection.ts';
import { type Answer, CheckBudget, CheckProblem, type Inspection, readChain } from './inspection.ts';
import { withDifference, withOffered } from './name-offered.ts';
import { walkTransaction } from './walk-transaction.ts';

/** Everything that was seen of one side, up to the problem if there was one. Not judged yet. */
export type SideFindings = {
  listener: Listener;
  problem: CheckProblem | null;
  negotiated: NegotiatedTls | null;
  /** What the server sent in a full handshake; null over plain HTTP. */
  serverFlight: ServerFlight | null;
  /** Subject, issuer and end of the certificate, in words; null over plain HTTP. */
  certificate: string | null;
  /** The server asks for a client certificate, and got none that fits. */
  asksForCertificate: boolean;
  answers: Answer[];
  /** Null on this machine. */
  roundTrip: RoundTrip | null;
  identity: IdentityFindings | null;
};

/** Goes on until the first problem. An address that is not permitted gets no connection. */
export async function inspectSide(listener: Listener, inspection: Inspection): Promise<SideFindings> {
  const findings: SideFindings = {
    listener,
    problem: null,
    negotiated: null,
    serverFlight: null,
    certificate: null,
    asksForCertificate: false,
    answers: [],
    roundTrip: null,
    identity: null,
  };
  try {
    await inspect(findings, inspection);
  } catch (error) {
    if (!(error instanceof CheckProblem)) throw error;
    findings.problem = error;
  }
  return findings;
}

async function inspect(findings: SideFindings, inspection: Inspection): Promise<void> {
  const { listener } = findings;
  const { address, hostname, permit } = listener;
  const judgement = judgeAddress(address, hostname, permit === undefined ? [] : [permit]);
  if (!judgement.permitted) throw new CheckProblem('address', judgement.reason);
  const tls = listener.tls ?? inspection.tls;
  const older = isEncrypted(listener.transport) ? explainOlder(tls) : null;
  if (older !== null) throw older;
  const dialer = new Dialer(listener, tls, inspection);

  const connection = await dialer.dial().catch(async (error: unknown) => {
    if (!(error instanceof CheckProblem)) throw error;
    const accepts = acceptsBy(listener, inspection);
    throw await withOffered(await withDifference(error, tls, accepts), tls, accepts);
  });
  connection.socket.destroy();
  findings.negotiated = connection.handshake?.negotiated ?? null;
  findings.serverFlight = await flightOf(connection, tls, (plain) =>
    new Dialer(listener, plain, inspection).dial(),
  );
  findings.certificate = connection.handshake?.certificate ?? null;
  requireProtocol(connection, listener);
  const { serverFlight } = findings;
  const uncompressed =
    serverFlight === null ? null : explainUncompressed(endpointOf(listener), tls, serverFlight);
  if (uncompressed !== null) throw uncompressed;

  for await (const answer of walkTransaction(dialer, inspection)) findings.answers.push(answer);
  findings.asksForCertificate = dialer.asksForCertificate || (await asksLate(findings, inspection));
  findings.roundTrip = await measureRoundTrip(dialer);
  if (isEncrypted(listener.transport)) {
    findings.identity = await probeIdentity(dialer, tls.resumption);
  }
}

const forbidden = 403;

/**
 * Whether a server that refuses a request asks for a client certificate after it has read it. In TLS 1.3 a client has to offer that, and
 * browsers do not; in TLS 1.2 it is a second handshake on the connection, which is tried.
 */
async function asksLate({ listener, answers, negotiated }: SideFindings, inspection: Inspection) {
  const refused = answers.find(({ response }) => response.status === forbidden);
  if (refused === undefined || negotiated?.protocol !== 'TLSv1.3') return false;
  const version = 'TLSv1.2' as const;
  const [tls, steps] = [{ ...inspection.tls, version, cipher: null, group: null }, [refused.step]];
  const dialer = new Dialer(listener, { ...tls, verify: false }, inspection);
  const again = { ...inspection, tls, scenario: { ...inspection.scenario, steps } };
  try {
    for await (const _ of walkTransaction(dialer, again));
  } catch (error) {
    if (!(error instanceof CheckProblem)) throw error;
  }
  return dialer.asksForCertificate;
}

/** Several are tried in a row, where the first has used up its patience already. */
const trialMs = 2_000;

/** Whether the server comes to terms with a client that asks for something else: a connection each. */
function acceptsBy(listener: Listener, inspection: Inspection): (profile: TlsProfile) => Promise<boolean> {
  return async (profile) => {
    try {
      const timeoutMs = Math.min(inspection.timeoutMs, trialMs);
      const options = { ...inspection, timeoutMs };
      const { socket } = await new Dialer(listener, { ...profile, verify: false }, options).dial();
      socket.destroy();
      return true;
    } catch (error) {
      if (error instanceof CheckProblem) return false;
      throw error;
    }
  };
}

/** Where compressed certificates are asked for, another connection shows what the server sends without. */
async function flightOf(
  { handshake }: DialedConnection,
  tls: TlsProfile,
  dialPlain: (plain: TlsProfile) => Promise<DialedConnection>,
): Promise<ServerFlight | null> {
  if (handshake === null) return null;
  const certificates = readChain(handshake.leaf);
  const certificateBytes = certificates.reduce((sum, { bytes }) => sum + bytes, 0);
  const flight = { bytes: handshake.serverBytes, certificates: certificates.length, certificateBytes };
  if (tls.certificateCompression === 'none') return flight;
  const plain = await dialPlain({ ...tls, version: 'TLSv1.3', certificateCompression: 'none' });
  plain.socket.destroy();
  return { ...flight, uncompressedBytes: handshakeOf(plain).serverBytes };
}

/** A server that knows nothing of ALPN speaks HTTP/1.1, and takes part all the same. */
function requireProtocol({ handshake }: DialedConnection, listener: Listener): void {
  const { encrypted, alpn, httpVersion } = transportFacts[listener.transport];
  if (!encrypted || httpVersion === '1.1' || handshake?.negotiated.alpn === alpn) return;
  throw explainProtocol(listener);
}

/** What many handshakes with one listener had in common. */
type IdentityFindings = {
  /** Of the first, which was a full one. */
  negotiated: NegotiatedTls;
  connections: number;
  /** Connections that were offered a session, and those of them that resumed it. */
  offered: number;
  resumed: number;
  /** Connections that failed with a session, and succeeded without. */
  turnedAway: number;
  /** Connections that the server asked to start again with another key share. */
  retried: number;
  /** What differed between connections, in words. */
  changes: string[];
};

const atOnce = 5;
const ticketPatienceMs = 1_000;

/** Opens 20 connections, fewer where the target bears few, offering the first one's session where the run is going to resume. */
async function probeIdentity(
  dialer: Dialer,
  resumption: TlsProfile['resumption'],
): Promise<IdentityFindings> {
  const connections = CheckBudget.handshakes(dialer.budget);
  const { first, session } = await openFirst(dialer, resumption !== 'none');
  const handshakes = [first];
  let turnedAway = 0;
  const dial = () =>
    dialOnce(dialer, session).catch((error: unknown) => {
      if (session === null || !(error instanceof CheckProblem) || error.check !== 'tls') throw error;
      turnedAway++;
      return dialOnce(dialer, null);
    });
  while (handshakes.length < connections && turnedAway === 0) {
    const batch = Math.min(atOnce, connections - handshakes.length);
    handshakes.push(...(await Promise.all(Array.from({ length: batch }, dial))));
  }
  return {
    negotiated: first.negotiated,
    connections: handshakes.length,
    offered: session === null ? 0 : handshakes.length - 1,
    resumed: handshakes.filter((handshake) => handshake.resumed).length,
    turnedAway,
    retried: handshakes.filter((handshake) => handshake.retried).length,
    changes: changesAmong(handshakes.map((handshake) => handshake.negotiated)),
  };
}

async function openFirst(dialer: Dialer, wantsSession: boolean) {
  let session: Buffer | null = null;
  const connection = await dialer.dial({
    onSession: (ticket) => {
      session ??= ticket;
    },
  });
  // In TLS 1.3 tickets come after the handshake.
  if (wantsSession && session === null) await anotherTicket(connection.socket, ticketPatienceMs);
  connection.socket.destroy();
  return { first: handshakeOf(connection), session: wantsSession ? (session as Buffer | null) : null };
}

async function dialOnce(dialer: Dialer, session: Buffer | null): Promise<Handshake> {
  const connection = await dialer.dial(session === null ? {} : { session });
  connection.socket.destroy();
  return handshakeOf(connection);
}

function handshakeOf({ handshake }: DialedConnection): Handshake {
  if (handshake === null) throw new CheckProblem('tls', 'The connection has no TLS.');
  return handshake;
}

const fields = {
  protocol: 'protocol',
  cipher: 'cipher suite',
  group: 'group',
  key: 'key',
  alpn: 'ALPN protocol',
};

/** What is unknown on one connection (a resumed one names no group) does not differ from anything. */
function changesAmong(negotiations: readonly NegotiatedTls[]): string[] {
  return (Object.keys(fields) as (keyof typeof fields)[]).flatMap((field) => {
    const values = new Set(
      negotiations.map((negotiated) => negotiated[field]).filter((value) => value !== null),
    );
    return values.size > 1 ? [`the ${fields[field]} (${[...values].join(', ')})`] : [];
  });
}
