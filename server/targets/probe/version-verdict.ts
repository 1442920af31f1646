import { type ProbedConnection, type ProbedVersion, reconnections } from '../../../shared/target/probe.ts';

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
