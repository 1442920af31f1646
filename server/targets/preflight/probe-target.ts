import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import {
  type ProbedConnection,
  type ProbedVersion,
  type ProbeReport,
  type ProbeRequest,
  probedVersions,
  reconnections,
  type VersionReport,
} from '../../../shared/target/probe.ts';
import { clientKeyName, type Listener } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { detailsOf } from '../../base/text/foreign-errors.ts';
import { type Connected, connectOnce, firstTicketMs, nextTicketMs } from './connect-once.ts';
import { Dialer } from './dialer.ts';
import { CheckBudget, checkReason, readChain } from './inspection.ts';
import {
  checkInTurn,
  clientIdentityOf,
  type Permission,
  resolveOrigin,
  startSignal,
} from './resolve-origins.ts';

/** Throws invalid_request, target_not_permitted and target_unreachable, as a run does. */
export async function probe(
  { url, ca, clientCertificate, secrets }: ProbeRequest,
  permission: Permission,
): Promise<ProbeReport> {
  const { origin } = new URL(url);
  const clientIdentity =
    clientCertificate === undefined
      ? undefined
      : clientIdentityOf(clientCertificate, secrets[clientKeyName], 'clientCertificate');
  const given = {
    ...{ field: 'url', ca: ca ?? null, pid: null },
    ...(clientIdentity === undefined ? {} : { clientIdentity }),
  };
  const listener = await resolveOrigin(origin, 'https', given, permission);
  const signal = startSignal(permission);
  return checkInTurn([listener], permission, signal, () =>
    probeTarget({ ...listener, arm: 'comparison' }, { signal }),
  );
}

type ProbeOptions = {
  /** Patience with one connection and with one handshake. */
  timeoutMs?: number;
  signal?: AbortSignal;
};

const defaultTimeoutMs = 5_000;
const totalMs = 20_000;

/**
 * Connects with each version of TLS and reconnects with the session it was given: what a returning visitor meets. It ends
 * within 20 s, whatever the target does, and later only where a permit slows it down. Throws only the signal's reason.
 */
export async function probeTarget(listener: Listener, options: ProbeOptions = {}): Promise<ProbeReport> {
  options.signal?.throwIfAborted();
  const budget = CheckBudget.of([listener]);
  const begun = probedVersions.length * (reconnections + 2) + 1;
  const overall = AbortSignal.timeout(totalMs + (budget?.waitMs(begun) ?? 0));
  const signal = options.signal === undefined ? overall : AbortSignal.any([overall, options.signal]);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const dialerFor = (version: ProbedVersion, verify = false) =>
    new Dialer(listener, { ...defaultTlsProfile, version, verify }, { timeoutMs, signal, budget });
  const versions: VersionReport[] = [];
  for (const version of probedVersions) versions.push(await probeVersion(dialerFor(version), version));
  const answered = versions.find(({ status }) => status === 'answered');
  const trust = answered === undefined ? null : await judgeTrust(dialerFor(answered.version, true));
  options.signal?.throwIfAborted();
  return {
    origin: originOf(listener),
    address: listener.address,
    verdict: verdictOf(versions),
    trust,
    versions,
  };
}

async function probeVersion(dialer: Dialer, version: ProbedVersion): Promise<VersionReport> {
  let first: Connected;
  try {
    first = await connectOnce(dialer, { offer: null, ticketMs: firstTicketMs });
  } catch (error) {
    return { status: 'refused', version, reason: checkReason(error), ...detailsOf(error) };
  }
  const connections: ProbedConnection[] = [first.made];
  let { session } = first;
  while (connections.length <= reconnections) {
    try {
      const again = await connectOnce(dialer, { offer: session, ticketMs: nextTicketMs });
      connections.push(again.made);
      session = again.session ?? session;
    } catch (error) {
      connections.push({ status: 'failed', offered: session !== null, reason: checkReason(error) });
    }
  }
  const turnedAway = connections.some(({ status, offered }) => status === 'failed' && offered);
  const withoutSession = turnedAway ? await connectAnew(dialer) : null;
  const certificates = readChain(first.handshake.leaf);
  return {
    status: 'answered',
    version,
    verdict: versionVerdict(version, connections, withoutSession),
    negotiated: first.handshake.negotiated,
    certificates,
    certificateBytes: certificates.reduce((sum, { bytes }) => sum + bytes, 0),
    connections,
  };
}

/** Null where a connection without a session is taken; else why not. */
async function connectAnew(dialer: Dialer): Promise<string | null> {
  try {
    await connectOnce(dialer, { offer: null, ticketMs: nextTicketMs });
    return null;
  } catch (error) {
    return checkReason(error);
  }
}

/** One more connection, on which the certificate is checked. */
async function judgeTrust(dialer: Dialer): Promise<ProbeReport['trust']> {
  try {
    const { socket, handshake } = await dialer.dial();
    socket.destroy();
    return { trusted: true, message: handshake?.certificate ?? '' };
  } catch (error) {
    return { trusted: false, message: checkReason(error) };
  }
}

function verdictOf(versions: readonly VersionReport[]): string {
  const sentences = versions.map((report) => (report.status === 'answered' ? report.verdict : report.reason));
  return [...new Set(sentences)].join(' ');
}

const names: Record<ProbedVersion, string> = { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' };

/**
 * Whether sessions are taken up again, in a sentence. The first connection is the full one.
 * @param refusal why a connection without a session failed at the end; null where it did not, or was not needed
 */
export function versionVerdict(
  version: ProbedVersion,
  connections: readonly ProbedConnection[],
  refusal: string | null,
): string {
  const name = names[version];
  const [first, ...again] = connections;
  const offered = again.filter((connection) => connection.offered);
  const reused = again.filter((connection) => connection.status === 'made' && connection.reused);
  const failed = again.filter(({ status }) => status === 'failed');
  const tail = failed.length === 0 ? '' : ` ${failed.length} of ${again.length} connections failed.`;
  const turnedAway = failed.filter((connection) => connection.offered).length;
  const why = refusal ?? (offered.length === 0 && failed.length === again.length ? reasonIn(failed) : null);
  if (why !== null) {
    return `${name}: whether it resumes is unknown, because after the first connection ${failed.length} of ${again.length} failed. ${why}`;
  }
  if (turnedAway > 0) {
    return `${name}: the server breaks off ${turnedAway} of ${offered.length} connections that offer the session it gave, and accepts one without. Returning visitors cannot connect. Share ticket keys among its processes, or turn its tickets off.`;
  }
  if (offered.length === 0) {
    const what =
      version === 'TLSv1.3'
        ? 'sends no ticket. Turn its session tickets on'
        : 'gives neither a ticket nor a session id. Its tickets and its session cache are both off: turn one of them on';
    return `${name} does not resume: the server ${what}.${tail}`;
  }
  const means = `with ${meansOf(first)}`;
  const count = `${reused.length} of ${reconnections}`;
  if (reused.length === again.length) return `${name} resumes ${means}: ${count}.`;
  if (reused.length > 0) {
    return `${name} resumes ${means} some of the time: ${count}. Servers behind one address have to share their ticket keys.${tail}`;
  }
  return `${name} does not resume, though the server gives ${meansOf(first)}: ${count}. Look whether its ticket keys change, or whether several servers answer that do not share them.${tail}`;
}

function reasonIn([first]: readonly ProbedConnection[]): string | null {
  return first?.status === 'failed' ? first.reason : null;
}

function meansOf(first: ProbedConnection | undefined): string {
  const session = first?.status === 'made' ? first.sessions.at(-1) : undefined;
  return session?.kind === 'session id' ? 'session ids' : 'tickets';
}
