import { problem } from '../../base/problem.ts';
import { printNumber } from '../../base/quantity.ts';
import { type LineReader, type LoggedRequest, type LogSource, lineReadersFor } from './log-formats.ts';

/**
 * The traffic of a server, read from its access log: chunk by chunk, in constant memory, on a server and in a browser. It says nothing that
 * the log does not: `lacks` names each missing thing and the directive that adds it.
 */
export type LoggedTraffic = {
  /** Title of the format. */
  format: string;
  lines: number;
  unreadable: number;
  /** First and last request, Unix time. */
  fromMs: number | null;
  toMs: number | null;
  /** Mean from the first to the last request. Null if no time passed. */
  requestsPerS: number | null;
  /** Mean of the busiest minute. */
  peakPerS: number | null;
  /** Mean size of the responses of each class, smallest first, and the share of requests in it. Empty if the log has no sizes. */
  sizes: { bytes: number; share: number }[];
  requestsPerConnection: number | null;
  /** Share of new connections that resume a session, or of requests on such if the log does not tell connections apart. */
  returningShare: number | null;
  /** A sentence for each. */
  lacks: string[];
};

type AccessLog = {
  /** The next part of the text, cut anywhere. */
  write(chunk: string): void;
  /** The traffic so far. */
  traffic(): LoggedTraffic;
  /** The traffic after the last part. Throws import_unreadable if more than half of the lines are unreadable. */
  end(): LoggedTraffic;
};

/** @param format a name, or a format string; null to find out. Throws invalid_request for one that cannot be read */
export function openAccessLog(format: string | null = null): AccessLog {
  let tallies = lineReadersFor(format).map(openTally);
  let rest = '';
  /** Whether the line that has begun is too long already. */
  let isTooLong = false;

  function take(line: string) {
    if (isTooLong || line.length > longestLine) for (const tally of tallies) tally.skip();
    else if (line.trim() !== '') for (const tally of tallies) tally.take(line);
    isTooLong = false;
    if (tallies.length > 1 && best().read() >= enoughToTell) tallies = [best()];
  }

  const best = () => tallies.reduce((first, other) => (other.read() > first.read() ? other : first));

  return {
    write(chunk) {
      let from = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
        take(rest + chunk.slice(from, end));
        rest = '';
        from = end + 1;
      }
      rest += chunk.slice(from);
      if (rest.length <= longestLine) return;
      isTooLong = true;
      rest = '';
    },
    traffic: () => best().traffic(),
    end() {
      if (isTooLong || rest !== '') take(rest);
      rest = '';
      const traffic = best().traffic();
      if (traffic.lines > 0 && traffic.unreadable <= traffic.lines / 2) return traffic;
      throw problem('import_unreadable', {
        detail:
          traffic.lines === 0
            ? 'The log has no lines.'
            : `${printNumber(traffic.unreadable, 0)} of ${printNumber(traffic.lines, 0)} lines cannot be read as ${format === null ? 'an access log' : traffic.format}.`,
        advice: 'Choose another file, or give the format string that the server writes its log with.',
      });
    },
  };
}

/** Longer than a request that servers accept, several times. */
const longestLine = 65_536;

/** Lines after which the format that read most of them is the right one. */
const enoughToTell = 50;

type Tally = {
  /** Number of requests. */
  read(): number;
  take(line: string): void;
  skip(): void;
  traffic(): LoggedTraffic;
};

function openTally(reader: LineReader): Tally {
  const sizes = openSizes();
  const times = openTimes();
  const connections = openConnections();
  let lines = 0;
  let read = 0;
  return {
    read: () => read,
    skip() {
      lines += 1;
    },
    take(line) {
      lines += 1;
      const request = reader.read(line);
      if (request === null) return;
      read += 1;
      if (request.unixMs !== null) times.add(request.unixMs);
      if (request.bytes !== null) sizes.add(request.bytes);
      connections.add(request);
    },
    traffic() {
      const traffic = { ...times.result(), sizes: sizes.result(), ...connections.result() };
      const facts = { format: reader.title, lines, unreadable: lines - read };
      return { ...facts, ...traffic, lacks: missingFrom(traffic, reader.source) };
    },
  };
}

/**
 * Ends of the classes: the sizes of a price list, and beyond. A list is interpolated between them, where the mean of a class has the mean
 * price of the class.
 */
const classEnds = [1000, 4000, 16_000, 64_000, 256_000, 1e6, 4e6, 16e6, 64e6, Number.POSITIVE_INFINITY];

function openSizes() {
  const classes = classEnds.map((end) => ({ end, requests: 0, bytes: 0 }));
  let requests = 0;
  return {
    add(bytes: number) {
      const place = classes.find(({ end }) => bytes <= end);
      if (place === undefined) return;
      place.requests += 1;
      place.bytes += bytes;
      requests += 1;
    },
    result: (): LoggedTraffic['sizes'] =>
      classes
        .filter((each) => each.requests > 0)
        .map((each) => ({ bytes: each.bytes / each.requests, share: each.requests / requests })),
  };
}

const minuteMs = 60_000;

/** Minutes that are counted at a time. Servers write a request when it ends, so one that took long is out of order. */
const openMinutes = 1024;

function openTimes() {
  const minutes = new Float64Array(openMinutes).fill(-1);
  const counts = new Float64Array(openMinutes);
  let requests = 0;
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  let busiest = 0;
  return {
    add(unixMs: number) {
      requests += 1;
      fromMs = Math.min(fromMs, unixMs);
      toMs = Math.max(toMs, unixMs);
      const minute = Math.floor(unixMs / minuteMs);
      const place = ((minute % openMinutes) + openMinutes) % openMinutes;
      const count = minutes[place] === minute ? (counts[place] ?? 0) + 1 : 1;
      minutes[place] = minute;
      counts[place] = count;
      busiest = Math.max(busiest, count);
    },
    result() {
      if (requests === 0) return { fromMs: null, toMs: null, requestsPerS: null, peakPerS: null };
      const seconds = (toMs - fromMs) / 1000;
      const requestsPerS = seconds > 0 ? requests / seconds : null;
      // A log of less than two minutes may have no whole one.
      const peakPerS = requestsPerS === null ? null : Math.max(requestsPerS, busiest / 60);
      return { fromMs, toMs, requestsPerS, peakPerS };
    },
  };
}

/** Connections or requests by what is known of the handshake. */
type ByHandshake = { full: number; resumed: number; unknown: number };

/** Share of requests that must tell of their connection. The others, such as Apache’s over HTTP/2, may be unlike them. */
const mostTold = 0.9;

function openConnections() {
  const requests: ByHandshake = { full: 0, resumed: 0, unknown: 0 };
  const firsts = { ...requests };
  const ids = { full: openCounter(), resumed: openCounter(), unknown: openCounter() };
  let numbered = 0;
  let identified = 0;
  return {
    add({ isFirst, connection, isResumed }: LoggedRequest) {
      const handshake = isResumed === null ? 'unknown' : isResumed ? 'resumed' : 'full';
      requests[handshake] += 1;
      if (isFirst !== null) numbered += 1;
      if (isFirst) firsts[handshake] += 1;
      if (connection === null) return;
      identified += 1;
      ids[handshake].add(connection);
    },
    result() {
      const { full, resumed, unknown } = ids;
      const distinct = { full: full.count(), resumed: resumed.count(), unknown: unknown.count() };
      const told = [
        { opened: firsts, by: numbered },
        { opened: distinct, by: identified },
      ].find(({ opened, by }) => sumOf(opened) > 0 && by >= mostTold * sumOf(requests));
      return {
        requestsPerConnection: told === undefined ? null : Math.max(1, told.by / sumOf(told.opened)),
        returningShare: resumedShareOf(told?.opened ?? requests) ?? resumedShareOf(requests),
      };
    },
  };
}

function sumOf({ full, resumed, unknown }: ByHandshake): number {
  return full + resumed + unknown;
}

function resumedShareOf({ full, resumed }: ByHandshake): number | null {
  return full + resumed === 0 ? null : resumed / (full + resumed);
}

/**
 * Number of distinct texts, exact to about 0.8 % in 16 kB (HyperLogLog: Flajolet, Fusy, Gandouet, Meunier 2007; small numbers by linear
 * counting, as there).
 */
function openCounter() {
  let longest: Uint8Array | null = null;
  return {
    add(text: string) {
      longest ??= new Uint8Array(registers);
      const hash = hashOf(text);
      const place = hash >>> (32 - registerBits);
      const zeros = Math.clz32((hash << registerBits) | (1 << (registerBits - 1)));
      longest[place] = Math.max(longest[place] ?? 0, zeros + 1);
    },
    count(): number {
      if (longest === null) return 0;
      const sum = longest.reduce((total, zeros) => total + 2 ** -zeros, 0);
      const estimate = ((0.7213 / (1 + 1.079 / registers)) * registers ** 2) / sum;
      const empty = longest.filter((zeros) => zeros === 0).length;
      return estimate <= 2.5 * registers && empty > 0 ? registers * Math.log(registers / empty) : estimate;
    },
  };
}

const registerBits = 14;
const registers = 2 ** registerBits;

/** FNV-1a, mixed as MurmurHash3 ends, because the numbers of connections differ in their last digits only. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

type Found = Pick<
  LoggedTraffic,
  'fromMs' | 'requestsPerS' | 'sizes' | 'requestsPerConnection' | 'returningShare'
>;

function missingFrom(found: Found, source: LogSource): string[] {
  const { fromMs, requestsPerS, sizes, requestsPerConnection, returningShare } = found;
  const { time, size, connections, returning } = additions[source];
  return [
    ...(fromMs === null ? [`Requests per second: ${time}.`] : []),
    ...(fromMs !== null && requestsPerS === null
      ? ['Requests per second: all lines have the same time. Choose a longer log.']
      : []),
    ...(sizes.length === 0 ? [`Response sizes: ${size}.`] : []),
    ...(requestsPerConnection === null ? [`Requests per connection: ${connections}.`] : []),
    ...(returningShare === null ? [`Returning visitors: ${returning}.`] : []),
  ];
}

/** The end of a sentence that begins with what is missing. Formats without an addition of time and size always have them. */
type Additions = { time?: string; size?: string; connections: string; returning: string };

const toNginx = {
  time: 'add time=$time_iso8601 to log_format of nginx',
  size: 'add size=$body_bytes_sent to log_format of nginx',
  connections: 'add connection_requests=$connection_requests to log_format of nginx',
  returning: 'add ssl_session_reused=$ssl_session_reused to log_format of nginx',
};

const toApache = {
  time: 'add %t to LogFormat of Apache',
  size: 'add %B to LogFormat of Apache',
  connections: 'add keepalive_requests=%k to LogFormat of Apache, which counts over HTTP/1.1 only',
  returning: 'add ssl_session_reused=%{SSL_SESSION_RESUMED}x to LogFormat of Apache',
};

const additions: Record<LogSource, Additions> = {
  nginx: toNginx,
  apache: toApache,
  any: {
    connections: `${toNginx.connections}, or ${toApache.connections}`,
    returning: `${toNginx.returning}, or ${toApache.returning}`,
  },
  json: {
    time: 'add a key time, from $time_iso8601 of nginx or %START_TIME% of Envoy',
    size: 'add a key size, from $body_bytes_sent of nginx or %BYTES_SENT% of Envoy',
    connections:
      'add a key connection_requests, from $connection_requests of nginx, or connection_id, from %CONNECTION_ID% of Envoy',
    returning: 'add a key ssl_session_reused, from $ssl_session_reused of nginx',
  },
  haproxy: {
    connections:
      'add connection_requests=%[var(sess.requests)] to log-format of HAProxy, and the line http-request set-var(sess.requests) var(sess.requests,0),add(1) to its frontend',
    returning: 'add ssl_session_reused=%[ssl_fc_is_resumed] to log-format of HAProxy',
  },
  envoy: {
    time: 'add %START_TIME% to the format of Envoy',
    size: 'add %BYTES_SENT% to the format of Envoy',
    connections: 'add connection_id=%CONNECTION_ID% to the format of Envoy',
    returning: 'enter the share by hand, ssl.session_reused divided by ssl.handshake of Envoy’s /stats',
  },
};
