import { printNumber } from '../../../shared/base/quantity.ts';
import type { TlsProfile } from '../../../shared/base/tls-profile.ts';
import { isEncrypted } from '../../../shared/base/transport.ts';
import { describeRoundTrip } from '../../../shared/kinds/comparison/link.ts';
import type { CheckId, ServerFlight } from '../../../shared/target/preflight.ts';
import { type Listener, rootsOf } from '../../../shared/target/target.ts';
import { negotiatedInFull } from '../../../shared/words/negotiated-words.ts';
import { unaskedOfTls } from '../../../shared/words/unasked-differences.ts';
import { opensConnections } from '../../base/addresses/load-limits.ts';
import { endpointOf, originOf, resolveReference } from '../../base/addresses/origin.ts';
import { countSources } from '../../base/process/listeners.ts';
import { median } from '../../method/statistics/intervals.ts';
import {
  droppedBefore,
  fail,
  type Judgement,
  judgeScheme,
  pass,
  pathOfLocation,
  skipped,
  takesLocation,
  warn,
} from './compared-answers.ts';
import type { SideFindings } from './inspect-side.ts';
import type { Answer, Inspection } from './inspection.ts';

type OwnCheckId = Exclude<CheckId, 'http_version' | 'cookies' | 'content' | 'encoding'>;

/** Checks that one side can pass or fail by itself. */
export function judgeOwnSide(
  side: SideFindings,
  other: SideFindings,
  inspection: Inspection,
): Record<OwnCheckId, () => Judgement> {
  const { listener } = side;
  const tls = listener.tls ?? inspection.tls;
  return {
    address: () => pass(`${listener.address} is ${whereIs(listener)}.`),
    connect: () => judgeConnection(side),
    tls: () => judgeTls(side, other, tls, inspection.tls),
    certificate: () => judgeCertificate(side),
    status: () => judgeStatus(side, other, inspection),
    redirect: () => judgeRedirects(side, other),
    scheme: () => judgeScheme(side, other),
    resumption: () => judgeResumption(side, tls.resumption !== 'none'),
    process: () => judgeProcess(listener),
  };
}

function judgeConnection({ listener, roundTrip, answers }: SideFindings): Judgement {
  const taken = `${endpointOf(listener)} takes connections.`;
  if (roundTrip === null) return pass(taken);
  const firstByteUs = answers.length === 0 ? null : median(answers.map((answer) => answer.firstByteUs));
  return pass(`${taken} ${describeRoundTrip(roundTrip, firstByteUs)}`);
}

function whereIs({ permit }: Listener): string {
  return permit === undefined ? 'this machine' : `another host, allowed as ${permit.host}`;
}

function judgeProcess(listener: Listener): Judgement {
  if (listener.agent !== undefined) {
    return pass(`CPU, memory and disk are read by the agent at ${listener.agent}.`);
  }
  if (listener.exporter !== undefined) return pass(`CPU and memory are read at ${listener.exporter}.`);
  if (listener.pid !== null) {
    const [first, ...more] = rootsOf(listener);
    return pass(
      more.length === 0
        ? `CPU, memory and disk are read from process ${first} and its children.`
        : `CPU, memory and disk are read from processes ${[first, ...more].join(', ')} and their children, which all listen there.`,
    );
  }
  if (listener.permit !== undefined) {
    return warn('CPU, memory and disk will not be measured: the target’s host has no agent.');
  }
  return warn(
    `No process of this user listens on ${endpointOf(listener)}, so the server’s CPU, memory and disk will not be measured. Give its process ID (pid) to measure them.`,
  );
}

/** Of what only TLS has. */
const withoutTls = 'Not applicable without TLS.';

function judgeTls(
  { listener, negotiated, serverFlight, identity }: SideFindings,
  other: SideFindings,
  tls: TlsProfile,
  usual: TlsProfile,
): Judgement {
  if (!isEncrypted(listener.transport)) return skipped(withoutTls);
  if (negotiated === null) return skipped('Not reached.');
  const change = identity?.changes[0];
  if (change !== undefined) {
    return fail(
      `Connections to ${endpointOf(listener)} differ in ${change}. Have the server offer only one choice.`,
    );
  }
  const agreed = negotiatedInFull(negotiated);
  const sent = serverFlight === null ? '' : ` ${describeFlight(serverFlight)}`;
  if (identity === null || identity.retried === 0) {
    const differences = differencesOfTls({ listener, negotiated }, other, usual);
    if (differences.length === 0) return pass(`${agreed}.${sent}`);
    const where = new Intl.ListFormat('en-US').format(differences);
    return warn(`${agreed}. The other side differs in ${where}. Part of a difference comes from that.`);
  }
  const { retried, connections } = identity;
  // What the server does with every client that asks for nothing is part of its TLS.
  const { group } = tls;
  if (group === null && retried === connections) {
    return warn(
      `${agreed}. Every handshake takes another round trip (HelloRetryRequest), because the server does not accept the group that clients guess.`,
    );
  }
  return fail(
    `The server sent a HelloRetryRequest, which costs a round trip, on ${retried} of ${connections} connections. Let it accept the group ${group ?? 'X25519'}.`,
  );
}

function describeFlight({ bytes, certificates, certificateBytes, uncompressedBytes }: ServerFlight): string {
  const many = `${certificates} ${certificates === 1 ? 'certificate' : 'certificates'}`;
  if (uncompressedBytes !== undefined)
    return `The server sends ${printNumber(bytes, 0)} bytes in a full handshake with ${many}, compressed, and ${printNumber(uncompressedBytes, 0)} to clients without compression.`;
  return `The server sends ${printNumber(bytes, 0)} bytes in a full handshake, ${printNumber(certificateBytes, 0)} of them in ${many}.`;
}

/** Of two sides that both have TLS, what nobody asked for and the other one has. A server's key is one's own to choose. */
function differencesOfTls(
  { negotiated: ours, listener }: Pick<SideFindings, 'negotiated' | 'listener'>,
  { negotiated: theirs, listener: other }: SideFindings,
  usual: TlsProfile,
): string[] {
  if (ours === null || theirs === null) return [];
  const [own, others] = [listener.tls ?? usual, other.tls ?? usual];
  const asked = (['version', 'cipher', 'group'] as const).filter((name) => own[name] !== others[name]);
  return unaskedOfTls(
    { baseline: ours, comparison: theirs },
    new Set(['target.key', ...asked.map((name) => `tls.${name}`)]),
  ).map(({ name, comparison }) => `${name} (${comparison})`);
}

function judgeCertificate({ listener, certificate }: SideFindings): Judgement {
  if (!isEncrypted(listener.transport)) return skipped(withoutTls);
  return certificate === null ? skipped('Not reached.') : pass(certificate);
}

function judgeStatus(
  { answers, listener, asksForCertificate }: SideFindings,
  other: SideFindings,
  { connectionPolicy }: Inspection,
): Judgement {
  const wrong = answers.filter(({ step, response }) => response.status !== step.expectStatus);
  const unexplained = wrong.filter((answer) => !isRedirect(answer));
  const first = unexplained[0];
  if (first !== undefined) {
    const { step, response, path } = first;
    const theirs = other.answers.find((answer) => answer.step === step)?.response.status;
    if (
      asksForCertificate &&
      listener.clientIdentity === undefined &&
      certificateStatuses.has(response.status)
    ) {
      return fail(
        `Step “${step.name}” answered ${response.status}: the server asks for a client certificate. Give one (--client-cert, --client-key).`,
      );
    }
    const isSpread =
      response.status === 403 && countSources(listener.address, opensConnections(connectionPolicy)) > 1;
    const hint = isSpread
      ? ' New connections come from 127.17.0.1 to 127.17.3.254: allow 127.17.0.0/22 on the server.'
      : '';
    const dropped = droppedBefore(answers, step);
    const cause = dropped === null ? '' : `${dropped} `;
    if (theirs === response.status) return fail(`${cause}${unfit(`${step.method} ${path}`, theirs)}${hint}`);
    const more = unexplained.length > 1 ? ` ${unexplained.length} of ${answers.length} steps are wrong.` : '';
    return fail(
      `${cause}Step “${step.name}” answered ${response.status} instead of ${step.expectStatus}.${more}${hint}`,
    );
  }
  if (wrong[0] !== undefined) return skipped(`Step “${wrong[0].step.name}” is redirected: see “Redirects”.`);
  return pass(
    `All steps answered as expected (${answers.map(({ response }) => response.status).join(', ')}).`,
  );
}

/** Statuses of servers that let the handshake pass; 495 and 496 are nginx's own. */
const certificateStatuses = new Set([400, 401, 403, 495, 496]);

/** The sides agree, so it is the scenario that is wrong, or the whole site. */
function unfit(request: string, status: number): string {
  return status >= 500
    ? `${request} answers ${status} on both sides. Check the server’s log.`
    : `The scenario does not fit this site: ${request} answers ${status} on both sides.`;
}

function judgeResumption({ listener, identity }: SideFindings, planned: boolean): Judgement {
  if (!isEncrypted(listener.transport)) return skipped(withoutTls);
  if (identity === null) return skipped('Not reached.');
  const { connections, offered, resumed, turnedAway } = identity;
  if (turnedAway > 0) {
    return fail(
      `The server broke off ${turnedAway} of ${offered} connections that offered the session it had given, and accepted them without one. Returning visitors cannot connect. Share ticket keys among its processes, or turn its tickets off.`,
    );
  }
  if (!planned) {
    // No session was offered, so none can have been resumed.
    return pass(`All ${connections} handshakes were full, as planned.`);
  }
  if (offered === 0) {
    return fail('The server issues no session tickets. Enable them, or choose resumption “none”.');
  }
  if (resumed === 0) {
    return fail(
      `The server resumed none of the ${offered} sessions it was offered. Share its ticket keys among its processes, or choose resumption “none”.`,
    );
  }
  return resumed === offered
    ? pass(`All ${offered} connections after the first resumed its session, as planned.`)
    : warn(
        `The server resumed ${resumed} of the ${offered} sessions it was offered. The others needed a full handshake.`,
      );
}

function isRedirect({ response }: Answer): boolean {
  return response.status >= 300 && response.status < 400 && response.location !== null;
}

/** A redirect is never followed: it must stay on its side, be expected, and lead to the same place on both. */
function judgeRedirects(side: SideFindings, other: SideFindings): Judgement {
  const redirects = side.answers.filter(isRedirect);
  for (const answer of redirects) {
    const problem = problemWith(answer, side, other);
    if (problem === null) continue;
    const dropped = droppedBefore(side.answers, answer.step);
    return fail(dropped === null ? problem : `${dropped} ${problem}`);
  }
  return pass(redirects.length === 0 ? 'None.' : `${redirects.length}, as expected, on the same origin.`);
}

function problemWith(answer: Answer, side: SideFindings, other: SideFindings): string | null {
  const { step, response } = answer;
  const at = `Step “${step.name}”`;
  const address = `${originOf(side.listener)}${answer.path}`;
  const from = new URL(address);
  const to = resolveReference(response.location ?? '', address);
  if (to === null) return `${at} redirects to “${response.location}”, which is not a URL.`;
  if (to.protocol !== from.protocol) {
    const schemes = `${from.protocol.slice(0, -1)} to ${to.protocol.slice(0, -1)}`;
    const redirected = `Not comparable: step “${step.name}” redirects from ${schemes} (${to.origin}).`;
    return from.protocol === 'http:'
      ? `${redirected} Serve the same over plain HTTP on another port: /docs/plain-http shows how.`
      : `${redirected} Disable that redirect for the comparison.`;
  }
  if (to.origin !== from.origin) {
    return `${at} redirects from ${from.origin} to ${to.origin}, which is not part of this target.`;
  }
  const path = `${to.pathname}${to.search}`;
  if (response.status !== step.expectStatus) {
    return `${at} redirects to ${path} instead of answering ${step.expectStatus}. Use that path in the step, or expect ${response.status}.`;
  }
  const theirs = other.answers.find((candidate) => candidate.step === step);
  const theirPath = theirs === undefined ? null : pathOfLocation(theirs);
  return theirPath === null || theirPath === path || takesLocation(step)
    ? null
    : `Not comparable: step “${step.name}” redirects to ${path} here and to ${theirPath} on the other side.`;
}
