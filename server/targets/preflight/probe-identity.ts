import type { NegotiatedTls, TlsProfile } from '../../../shared/base/tls-profile.ts';
import { CheckBudget } from '../check-budget.ts';
import { anotherTicket } from '../probe/connect-once.ts';
import { CheckProblem } from './check-problem.ts';
import type { DialedConnection, Dialer, Handshake } from './dialer.ts';

/** What many handshakes with one listener had in common. */
export type IdentityFindings = {
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
export async function probeIdentity(
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
