/** Judges the figures that a third-party load generator prints by the counts of its run. */

/** Why no TLS connection came about: what the client refused or did not offer, no TLS at all, or an end before it was there. */
export const handshakeFailures = ['certificate', 'version', 'suite', 'plain', 'closed'] as const;
type HandshakeFailure = (typeof handshakeFailures)[number];

type Agreed = { protocol: string; suite: string; connections: number };

export type ToolCounts = {
  seconds: number;
  connections: number;
  openAtOnce: number;
  resumed: number;
  failedHandshakes: readonly { reason: HandshakeFailure; connections: number }[];
  agreed: readonly Agreed[];
  groups: readonly string[];
  requests: number;
  http10Requests: number;
  http2Requests: number;
  requestsPerConnection: number;
  askedToClose: number;
  pace: { atOnce: number; heldBack: number; delayMs: number } | null;
  cores: { tool: number; busiestThread: number; listener: number };
};

export type ToolVerdict = {
  /** In new TLS connections; null without TLS. */
  resumedShare: number | null;
  /** Share of requests that had to wait for a new connection. */
  newConnectionShare: number;
  loop: 'closed' | 'open' | 'unknown';
  /** Limit that kept the rate from being higher. */
  limit: 'tool' | 'listener' | 'none';
  http2: boolean;
  cpuPerRequestUs: number;
};

/** A closed loop sends half as many where answers are held back, an open one as many. */
const closedBelow = 0.75;
/** Share of a core: a thread that is hardly ever idle. */
const busy = 0.85;

export function judgeTool(counts: ToolCounts, secure: boolean): ToolVerdict {
  const { connections, requests, pace, cores, seconds } = counts;
  const shaken = counts.agreed.reduce((sum, each) => sum + each.connections, 0);
  return {
    resumedShare: secure && shaken > 0 ? counts.resumed / shaken : null,
    newConnectionShare: requests === 0 ? 0 : Math.min(1, connections / requests),
    loop: pace === null ? 'unknown' : pace.heldBack < closedBelow * pace.atOnce ? 'closed' : 'open',
    limit: cores.busiestThread >= busy ? 'tool' : cores.listener >= busy ? 'listener' : 'none',
    http2: counts.http2Requests > requests / 2,
    cpuPerRequestUs: requests === 0 ? 0 : (cores.tool * seconds * 1e6) / requests,
  };
}
