import type { ToolCounts, ToolVerdict } from './judge-tool.ts';

type Asked = { counts: ToolCounts; verdict: ToolVerdict; target: URL | null };

const [alwaysTickets, never] = [0.95, 0.05];
/** First in OpenSSL's own lists for TLS 1.3 and 1.2. */
const usualSuites = ['TLS_AES_256_GCM_SHA384', 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'];

/** Arguments of `compare` that ask what the tool asked, as far as its counts tell. */
export function compareArguments({ counts, verdict, target }: Asked): string[] {
  return [
    ...whereTo(target),
    ...(verdict.http2 ? ['--baseline', 'h2c', '--comparison', 'h2'] : []),
    ...['--users', `${Math.min(1000, Math.max(1, counts.openAtOnce))}`],
    ...howLong(counts),
    ...agreedOf(counts),
    ...(keepsOpen(counts) ? [] : handshakesOf(counts, verdict)),
    ...(verdict.loop === 'open' && counts.pace !== null
      ? ['--rate', `${Math.round(counts.pace.atOnce)}`]
      : []),
  ];
}

/** The other side is guessed from the usual pairs of ports; else a placeholder stands for it. */
function whereTo(target: URL | null): string[] {
  if (target === null) return ['--https', 'https://HOST'];
  const { origin, protocol, port, pathname, search } = target;
  const path = ['--path', `${pathname}${search}`];
  if (protocol === 'http:') {
    return [
      '--http',
      origin,
      ...(['', '8080'].includes(port) ? [] : ['--https', 'https://HOST:PORT']),
      ...path,
    ];
  }
  return [...(['', '8443'].includes(port) ? [] : ['--http', 'http://HOST:PORT']), '--https', origin, ...path];
}

/** Whether connections were hardly ever opened anew. */
function keepsOpen({ connections, openAtOnce }: ToolCounts): boolean {
  return connections <= 1.5 * openAtOnce;
}

function howLong(counts: ToolCounts): string[] {
  if (keepsOpen(counts)) return [];
  const each = Math.round(counts.requestsPerConnection);
  if (each <= 1) return ['--connection-policy', 'connection-per-request'];
  return ['--connection-policy', 'requests-per-connection', '--requests-per-connection', `${each}`];
}

/** The version and suite of most connections, where those of the generator's own connections would be others. */
function agreedOf({ agreed }: ToolCounts): string[] {
  const [most] = [...agreed].sort((one, other) => other.connections - one.connections);
  if (most === undefined) return [];
  return [
    ...(most.protocol === 'TLSv1.2' ? ['--tls', '1.2'] : []),
    ...(usualSuites.includes(most.suite) ? [] : ['--cipher', most.suite]),
  ];
}

/** A tool that opens connections all the time measures what they agree on. */
function handshakesOf({ groups }: ToolCounts, { resumedShare }: ToolVerdict): string[] {
  if (resumedShare === null) return [];
  return [...(groups[0] === undefined ? [] : ['--group', groups[0]]), ...resumptionOf(resumedShare)];
}

function resumptionOf(share: number): string[] {
  if (share <= never) return [];
  if (share >= alwaysTickets) return ['--resumption', 'tickets'];
  return ['--resumption', 'mix', '--resumed-share', share.toFixed(2)];
}
