import { cut } from '../../base/cut.ts';

/** How many connections of one's own server resume a session, read from what it wrote. */

type ResumedShare = {
  /** In percent, rounded. */
  share: number;
  /** Number that was counted. */
  of: number;
  unit: 'requests' | 'handshakes';
};

/**
 * From lines of an access log of nginx with `$ssl_session_reused` (`r` for a resumed session, `.` for a full handshake;
 * nginx.org/en/docs/http/ngx_http_ssl_module.html), or from Envoy's counters `ssl.handshake` and `ssl.session_reused`, as its admin
 * page or Prometheus prints them. Null where it is neither.
 */
export function readResumedShare(text: string): ResumedShare | null {
  const lines = text.split('\n').map((line) => cut(line.trim(), longestLine));
  return fromCounters(lines) ?? fromLog(lines);
}

/** Longer than a line of a log. The patterns below take quadratic time. */
const longestLine = 4000;

const counter = /(?:^|[._])ssl[._](handshake|session_reused)(?:\{[^}]*\})?(?::\s*|\s+)(\d+)\s*$/;

function fromCounters(lines: readonly string[]): ResumedShare | null {
  const sums = { handshake: 0, session_reused: 0 };
  for (const line of lines) {
    const [, name, count] = counter.exec(line) ?? [];
    if (name !== undefined) sums[name as keyof typeof sums] += Number(count);
  }
  const { handshake, session_reused: reused } = sums;
  return handshake === 0 || reused > handshake ? null : shareOf(reused, handshake, 'handshakes');
}

/** With a name, as in JSON, or standing alone. */
const named = /ssl_session_reused["']?\s*[:=]\s*["']?([r.])(?=["',\s}]|$)/;
const alone = /(?<=^|[\s"'|,;=])([r.])(?=$|[\s"'|,;])/g;

/** A line that has none, such as one without TLS, says nothing; one that has several cannot be read. */
function fromLog(lines: readonly string[]): ResumedShare | null {
  const found = lines.flatMap((line) => {
    const [, value] = named.exec(line) ?? [];
    if (value !== undefined) return [value];
    const each = [...line.matchAll(alone)].flatMap(([, word]) => word ?? []);
    return each.length === 1 ? each : [];
  });
  const reused = found.filter((value) => value === 'r').length;
  return found.length === 0 ? null : shareOf(reused, found.length, 'requests');
}

function shareOf(reused: number, of: number, unit: ResumedShare['unit']): ResumedShare {
  return { share: Math.round((100 * reused) / of), of, unit };
}
