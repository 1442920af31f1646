import { problem } from '../../base/problem.ts';

/**
 * Readers of the lines of access logs. A text format is a row of values with fixed texts in between, as in nginx's `log_format`: a value
 * extends to the next of these texts, so a line is read in one pass. Formats that are known by name may have more behind: values with a
 * name, such as `ssl_session_reused=r`, are read there too.
 */

/** Facts about a request in a line; null where the line lacks one. */
export type LoggedRequest = {
  unixMs: number | null;
  /** Size of the body if the log has it, otherwise of the whole response. */
  bytes: number | null;
  connection: string | null;
  /** Whether it is the first on its connection. */
  isFirst: boolean | null;
  /** Whether its connection resumed a TLS session. */
  isResumed: boolean | null;
};

export type LineReader = {
  /** Shown to the reader. */
  title: string;
  /** Decides which directives are named where the log lacks something. */
  source: LogSource;
  /** Null for a line that is not a request in this format. */
  read(line: string): LoggedRequest | null;
};

export type LogSource = 'nginx' | 'apache' | 'haproxy' | 'envoy' | 'json' | 'any';

const formatNames = ['combined', 'json', 'haproxy', 'envoy'] as const;

/**
 * Readers of the format: its name, or a format string of nginx, Apache, or Envoy. Without one, all that are known by name. Throws
 * invalid_request.
 */
export function lineReadersFor(format: string | null): LineReader[] {
  if (format === null) return formatNames.flatMap((name) => named[name]());
  const known = formatNames.find((name) => name === format.trim().toLowerCase());
  return known === undefined ? [readerOfString(format)] : named[known]();
}

const fields = ['time', 'request', 'status', 'body', 'sent', 'connection', 'nth', 'kept', 'resumed'] as const;
type Field = (typeof fields)[number];

/** Names of variables and of JSON keys, the preferred one first. */
const namesOf: Record<Field, readonly string[]> = {
  // nginx, Envoy, Traefik, Caddy, Logstash
  time: [
    ...['msec', 'time_iso8601', 'time_local', 'start_time', 'StartUTC'],
    ...['ts', '@timestamp', 'timestamp', 'time'],
  ],
  request: ['request', 'server_protocol'],
  status: ['status', 'response_code', 'DownstreamStatus'],
  body: ['body_bytes_sent', 'DownstreamContentSize', 'size'],
  sent: ['bytes_sent', 'bytes'],
  connection: ['connection', 'connection_id'],
  nth: ['connection_requests'],
  kept: ['keepalive_requests'],
  resumed: ['ssl_session_reused', 'ssl_session_resumed', 'request.tls.resumed'],
};

const pathsOf = Object.fromEntries(
  fields.map((field) => [field, namesOf[field].map((name) => name.split('.'))]),
) as Record<Field, string[][]>;

const fieldOfName = new Map(
  fields.flatMap((field) => namesOf[field].map((name) => [name.toLowerCase(), field])),
);

/** Directives of Apache's mod_log_config, mod_logio, and mod_ssl. */
const fieldOfDirective = new Map<string, Field>([
  ...(['t', '{sec}t', '{msec}t', '{usec}t'] as const).map((directive) => [directive, 'time'] as const),
  ['r', 'request'],
  ['H', 'request'],
  ['s', 'status'],
  ['b', 'body'],
  ['B', 'body'],
  ['O', 'sent'],
  ['k', 'kept'],
  ['{SSL_SESSION_RESUMED}x', 'resumed'],
]);

/** Each returns null for a value that is none. */
const parsers: Record<Field, (value: unknown) => number | string | boolean | null> = {
  time: parseTime,
  // Whether it shares its connection with others at a time. Apache counts such requests wrong: `%k` is 1 for each of them.
  request: (value) => /HTTP\/[23](?:\.0)?$/.test(String(value)),
  status: (value) => (/^-?\d{1,3}$/.test(String(value)) ? Number(value) : null),
  body: parseBytes,
  sent: parseBytes,
  connection: (value) => (/^\d{1,20}$/.test(String(value)) ? String(value) : null),
  nth: parseBytes,
  kept: parseBytes,
  resumed: (value) => resumedWords.get(String(value).toLowerCase()) ?? null,
};

/** Fields whose value must be right for a text to be a request. The others may be `-`. */
const demanded: readonly Field[] = ['time', 'status', 'body', 'sent'];

const resumedWords = new Map([
  ...['r', '1', 'true', 'resumed'].map((word) => [word, true] as const),
  ...['.', '0', 'false', 'initial'].map((word) => [word, false] as const),
]);

/** Apache prints `-` for none, and HAProxy a plus sign before what it counted so far. */
function parseBytes(value: unknown): number | null {
  if (value === '-') return 0;
  return /^\+?\d{1,15}$/.test(String(value)) ? Number(value) : null;
}

/** Unix time in ms of any stamp of an access log. One without a time zone, such as HAProxy's, is taken for UTC. */
function parseTime(value: unknown): number | null {
  const text = String(value);
  if (/^\d{9,19}(?:\.\d{1,9})?$/.test(text)) {
    const number = Number(text);
    const perMs = number < 1e11 ? 1e-3 : number < 1e14 ? 1 : number < 1e17 ? 1e3 : 1e6;
    return Math.round(number / perMs);
  }
  const [, day, month = '', year, time, zone = ''] = clfTime.exec(text) ?? [];
  const iso =
    day === undefined
      ? isoTime.exec(text)
      : [text, `${year}-${String(months.indexOf(month) / 3 + 1).padStart(2, '0')}-${day}`, time, zone];
  if (iso === null) return null;
  const [, date, clock, offset = ''] = iso;
  const unixMs = Date.parse(`${date}T${clock}${offset.trim().replace(/^(...)(\d\d)$/, '$1:$2') || 'Z'}`);
  return Number.isNaN(unixMs) ? null : unixMs;
}

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** `25/Nov/2026:16:00:00 +0000`. */
const clfTime = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d(?:\.\d{1,9})?)( [+-]\d{4})?$/;
/** `2026-11-25T16:00:00.123Z`. */
const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?$/;

type Values = Partial<Record<Field, number | string | boolean | null>>;

function requestOf({ time, request, body, sent, connection, nth, kept, resumed }: Values): LoggedRequest {
  return {
    unixMs: (time ?? null) as number | null,
    bytes: (body ?? sent ?? null) as number | null,
    connection: (connection ?? null) as string | null,
    isFirst: nth != null ? nth === 1 : kept != null && request !== true ? kept === 0 : null,
    isResumed: (resumed ?? null) as boolean | null,
  };
}

/** A field, or null for a value that does not matter, and the text behind it. */
type Slot = { field: Field | null; until: string };

/** @param isOpen whether more may follow */
function textReader(title: string, source: LogSource, format: string, isOpen = false): LineReader {
  const { before, slots } = slotsOf(format);
  return {
    title,
    source,
    read(line) {
      const text = line.slice(lengthOfHead(line));
      if (!text.startsWith(before)) return null;
      const values: Values = {};
      let from = before.length;
      for (const [index, { field, until }] of slots.entries()) {
        const isLast = index === slots.length - 1;
        const end = isLast && isOpen ? endOfWord(text, from) : endOfValue(text, until, from);
        if (end === -1 || (isLast && !isOpen && end + until.length !== text.length)) return null;
        if (field !== null) {
          const value = parsers[field](text.slice(from, end));
          if (value === null && demanded.includes(field)) return null;
          values[field] = value;
        }
        from = end + until.length;
      }
      return requestOf(isOpen ? { ...values, ...namedValues(text) } : values);
    },
  };
}

/** Place of the text behind a value. A quotation mark that the server escaped belongs to the value. */
function endOfValue(line: string, until: string, from: number): number {
  if (until === '') return line.length;
  for (let at = line.indexOf(until, from); at !== -1; at = line.indexOf(until, at + 1)) {
    if (until[0] !== '"' || !isEscaped(line, at)) return at;
  }
  return -1;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfWord(line: string, from: number): number {
  const space = line.indexOf(' ', from);
  return space === -1 ? line.length : space;
}

/** `connection_requests=3 ssl_session_reused=r` behind the last quotation mark, where no client can write. */
function namedValues(line: string): Values {
  const words = line.slice(line.lastIndexOf('"') + 1);
  if (!words.includes('=')) return {};
  return Object.fromEntries(
    words.split(' ').flatMap((word) => {
      const [name = '', value = ''] = word.split('=');
      const field = fieldOfName.get(name.toLowerCase());
      return field === undefined ? [] : [[field, parsers[field](value)]];
    }),
  );
}

/** Length of a head as syslog writes it, such as `<134>Nov 25 16:00:00 lb1 haproxy[123]: `. */
function lengthOfHead(line: string): number {
  return syslogHead.exec(line)?.[0].length ?? 0;
}

const syslogHead =
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.+Z-]{8,24}) (?:[\w.-]{1,255} )?[\w./-]{1,64}(?:\[\d{1,10}\])?: /;

const combinedLine = '$prefix [$time_local] "$request" $status $body_bytes_sent';
// Its five times are a to e.
const haproxyLine = '$client [$time] $frontend $backend/$server $a/$b/$c/$d/$e $status $bytes';
const envoyLine = '[$start_time] "$request" $status $flags $received $bytes_sent $duration';
const istioLine =
  '[$start_time] "$request" $status $flags $details $termination "$failure" $received $bytes_sent $duration';

const named: Record<(typeof formatNames)[number], () => LineReader[]> = {
  combined: () => [textReader('common or combined', 'any', combinedLine, true)],
  json: () => [{ title: 'JSON lines', source: 'json', read: readJson }],
  haproxy: () => [textReader('HAProxy’s HTTP log', 'haproxy', haproxyLine, true)],
  envoy: () => [
    // Envoy’s own also fits a line of Istio, with other values.
    textReader('Istio’s default', 'envoy', istioLine, true),
    textReader('Envoy’s default', 'envoy', envoyLine, true),
  ],
};

/** A line may have a head before its object. An object without a status and a size is no request. */
function readJson(line: string): LoggedRequest | null {
  const start = line.indexOf('{');
  if (start === -1) return null;
  let object: unknown;
  try {
    object = JSON.parse(start === 0 ? line : line.slice(start));
  } catch {
    return null;
  }
  const values: Values = {};
  for (const field of fields) {
    for (const path of pathsOf[field]) {
      const found = valueAt(object, path);
      values[field] = found === undefined ? null : parsers[field](found);
      if (values[field] !== null) break;
    }
  }
  const { status, body, sent } = values;
  return status == null && body == null && sent == null ? null : requestOf(values);
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as { [key: string]: unknown } | null | undefined)?.[key], object);
}

/** Throws invalid_request. */
function readerOfString(format: string): LineReader {
  // Apache prints the brackets around the time itself.
  const text = format.trim().replaceAll('\\"', '"').replaceAll('%t', '[%t]');
  const isOfNginx = /\$\w/.test(text);
  const isOfEnvoy = !isOfNginx && /%[A-Z_]{3,40}(?:\(|%)/.test(text);
  const { slots } = text.length > longestFormat ? { slots: [] } : slotsOf(text);
  if (!slots.some(({ field }) => field !== null && demanded.includes(field))) {
    throw problem('invalid_request', {
      detail: `The log’s format is ${formatNames.join(', ')}, or a format string that has the time, the status, or the size of a response.`,
      advice: 'Copy it from log_format of nginx, or from LogFormat of Apache.',
    });
  }
  if (slots.slice(0, -1).some(({ until }) => until === '')) {
    throw problem('invalid_request', {
      detail: 'The format string has two values with nothing in between.',
      advice: 'Separate them by a space in the configuration of the server.',
    });
  }
  return textReader('format string', isOfNginx ? 'nginx' : isOfEnvoy ? 'envoy' : 'apache', text);
}

const longestFormat = 4000;

/** `$name` of nginx, `%NAME(…):length%` of Envoy, and `%>s`, `%{name}i` of Apache. */
const variable =
  /\$\{?(?<nginx>\w{1,80})\}?|%(?<envoy>[A-Z_]{3,40})(?:\([^()]{0,200}\))?(?::\d{1,5})?%|%[<>!\d,]{0,40}(?<apache>(?:\{[^{}]{1,200}\})?(?:\^(?:FB|ti|to)|[a-zA-Z]))/g;

function slotsOf(format: string): { before: string; slots: Slot[] } {
  const found = [...format.matchAll(variable)];
  const slots = found.map(({ 0: text, index, groups = {} }, place): Slot => {
    const { nginx, envoy, apache } = groups;
    const name = (nginx ?? envoy)?.toLowerCase();
    const field = name === undefined ? fieldOfDirective.get(apache ?? '') : fieldOfName.get(name);
    const until = format.slice(index + text.length, found[place + 1]?.index);
    return { field: field ?? null, until };
  });
  return { before: format.slice(0, found[0]?.index ?? format.length), slots };
}
