import { defaultTlsProfile } from '../../../shared/base/tls-profile.ts';
import {
  type ProbedConnection,
  type ProbedVersion,
  type ProbeReport,
  probedVersions,
  reconnections,
  type VersionReport,
} from '../../../shared/target/probe.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { originOf } from '../../base/addresses/origin.ts';
import { CheckBudget } from '../check-budget.ts';
import { CheckProblem } from '../preflight/check-problem.ts';
import { Dialer } from '../preflight/dialer.ts';
import { type Connected, connectOnce, firstTicketMs, nextTicketMs } from './connect-once.ts';
import { readChain } from './read-chain.ts';
import { versionVerdict } from './version-verdict.ts';

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
    return { status: 'refused', version, reason: reasonOf(error) };
  }
  const connections: ProbedConnection[] = [first.made];
  let { session } = first;
  while (connections.length <= reconnections) {
    try {
      const again = await connectOnce(dialer, { offer: session, ticketMs: nextTicketMs });
      connections.push(again.made);
      session = again.session ?? session;
    } catch (error) {
      connections.push({ status: 'failed', offered: session !== null, reason: reasonOf(error) });
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
    return reasonOf(error);
  }
}

/** One more connection, on which the certificate is checked. */
async function judgeTrust(dialer: Dialer): Promise<ProbeReport['trust']> {
  try {
    const { socket, handshake } = await dialer.dial();
    socket.destroy();
    return { trusted: true, message: handshake?.certificate ?? '' };
  } catch (error) {
    return { trusted: false, message: reasonOf(error) };
  }
}

function verdictOf(versions: readonly VersionReport[]): string {
  const sentences = versions.map((report) => (report.status === 'answered' ? report.verdict : report.reason));
  return [...new Set(sentences)].join(' ');
}

function reasonOf(error: unknown): string {
  if (error instanceof CheckProblem) return error.message;
  throw error;
}
