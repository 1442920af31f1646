/** The fields that HPACK knows by number; the first has number 1. Source: RFC 7541, appendix A. */
export const staticTable: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

/** Numbers 1 to 14 are the fields whose name starts with a colon. */
export const lastPseudoIndex = 14;
export const firstStatusIndex = 8;
export const contentLengthIndex = 28;

/** By number, for readers that make no strings: length of the name, of name and value, and the status that it says. */
export const staticNameLengths = numbered((name) => name.length);
export const staticLengths = numbered((name, value) => name.length + value.length);
export const staticStatuses = numbered((name, value) => (name === ':status' ? Number(value) : 0));

function numbered(measure: (name: string, value: string) => number): Uint16Array {
  return Uint16Array.from([0, ...staticTable.map(([name, value]) => measure(name, value))]);
}

/** Number of the field, or of the first with its name; 0 for neither. */
function staticIndexOf(name: string, value: string): { index: number; whole: boolean } {
  const whole = staticTable.findIndex((field) => field[0] === name && field[1] === value && value !== '');
  if (whole >= 0) return { index: whole + 1, whole: true };
  return { index: staticTable.findIndex((field) => field[0] === name) + 1, whole: false };
}

/** Frames of HTTP/2: their types, flags and head. Source: RFC 9113, sections 4 and 6. */

export const headBytes = 9;
export const dataFrame = 0;
export const headersFrame = 1;
export const resetFrame = 3;
export const settingsFrame = 4;
export const pushPromiseFrame = 5;
export const pingFrame = 6;
export const goAwayFrame = 7;
export const windowUpdateFrame = 8;
export const continuationFrame = 9;

export const endStreamFlag = 1;
export const ackFlag = 1;
export const endHeadersFlag = 4;
export const paddedFlag = 8;
export const priorityFlag = 32;

export const headerTableSizeSetting = 1;
export const enablePushSetting = 2;
export const initialWindowSetting = 4;
export const maxFrameSizeSetting = 5;
export const maxHeaderListSetting = 6;

/** Largest payload that every peer takes, and the largest that we take. */
export const maxFrameBytes = 16_384;
/** Window of a connection and of a stream until the peer says otherwise. */
export const defaultWindow = 65_535;
export const maxWindow = 2 ** 31 - 1;
export const maxStreamId = 2 ** 31 - 1;

/** The server did nothing with the request (RFC 9113, section 8.7). */
export const refusedStreamError = 7;
export const cancelError = 8;

/** Offset of the stream id in a frame. */
export const streamIdAt = 5;

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, streamIdAt);
  payload.copy(bytes, headBytes);
  return bytes;
}

/** Names of the error codes, by number; RFC 9113, section 7. */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

export function errorName(code: number): string {
  return errorNames[code] ?? `error ${code}`;
}

export type RequestParts = {
  method: string;
  path: string;
  scheme: 'http' | 'https';
  authority: string;
  /** In order; connection-specific ones, which HTTP/2 does not have, are left out. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Null for none; an empty one is announced as such. */
  body: Buffer | null;
  /** Whether several connections send it: each then writes its stream ids into a copy of its own. */
  shared: boolean;
};

/** A request in frames, complete but for the stream id. */
export type Http2Request = {
  readonly bytes: Buffer;
  /** Offsets in `bytes` for the four octets of a stream id. */
  readonly idOffsets: readonly number[];
  /** Octets in `bytes` before the first DATA frame. */
  readonly headLength: number;
  readonly body: Buffer;
  /** The answer to it has no body, whatever its head says. */
  readonly bodyless: boolean;
  readonly shared: boolean;
};

const connectionSpecific = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** Assembles a request so that sending it costs no more than writing a stream id. */
export function assembleHttp2Request(parts: RequestParts): Http2Request {
  const body = parts.body ?? Buffer.alloc(0);
  const head = split(fieldBlock(parts)).map((fragment, index, { length }) =>
    frame(
      index === 0 ? headersFrame : continuationFrame,
      (index === 0 && body.length === 0 ? endStreamFlag : 0) | (index === length - 1 ? endHeadersFlag : 0),
      0,
      fragment,
    ),
  );
  const frames = [...head, ...dataFrames(0, body, 0, body.length)];
  return {
    bytes: Buffer.concat(frames),
    idOffsets: frames.map((_, index) => lengthOf(frames.slice(0, index)) + streamIdAt),
    headLength: lengthOf(head),
    body,
    bodyless: parts.method === 'HEAD',
    shared: parts.shared,
  };
}

/** Bytes `from` to `to` of a body, in frames; the last frame of the body ends the stream. */
export function dataFrames(stream: number, body: Buffer, from: number, to: number): Buffer[] {
  if (from === to) return [];
  return split(body.subarray(from, to)).map((fragment, index, { length }) =>
    frame(dataFrame, to === body.length && index === length - 1 ? endStreamFlag : 0, stream, fragment),
  );
}

function fieldBlock({ method, path, scheme, authority, headers, body }: RequestParts): Buffer {
  const fields: (readonly [string, string])[] = [
    [':method', method],
    [':scheme', scheme],
    [':authority', authority],
    [':path', path],
    ...headers
      .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
      .filter(([name]) => !connectionSpecific.has(name)),
    ...(body === null ? [] : [['content-length', String(body.length)] as const]),
  ];
  return Buffer.concat(fields.flatMap(([name, value]) => encodeField(name, value)));
}

/** From the static table as far as it goes, else as a literal that is not to be indexed; RFC 7541, section 6. */
function encodeField(name: string, value: string): Buffer[] {
  const { index, whole } = staticIndexOf(name, value);
  if (whole) return [encodeInteger(0x80, 7, index)];
  const nameBytes = index > 0 ? [encodeInteger(0, 4, index)] : [Buffer.of(0), ...encodeText(name)];
  return [...nameBytes, ...encodeText(value)];
}

function encodeText(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  return [encodeInteger(0, 7, bytes.length), bytes];
}

/** Section 5.1, below the flags that share the first octet. */
function encodeInteger(flags: number, prefixBits: number, value: number): Buffer {
  const most = 2 ** prefixBits - 1;
  if (value < most) return Buffer.of(flags | value);
  const octets = [flags | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push((rest % 128) | 128);
  return Buffer.from([...octets, rest]);
}

function split(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / maxFrameBytes) }, (_, index) =>
    bytes.subarray(index * maxFrameBytes, (index + 1) * maxFrameBytes),
  );
}

function lengthOf(buffers: Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}
