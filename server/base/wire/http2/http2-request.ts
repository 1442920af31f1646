import {
  continuationFrame,
  dataFrame,
  endHeadersFlag,
  endStreamFlag,
  frame,
  headersFrame,
  maxFrameBytes,
  streamIdAt,
} from './frames.ts';
import { staticIndexOf } from './static-table.ts';

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
  /** Where in `bytes` the four octets of a stream id go. */
  readonly idOffsets: readonly number[];
  /** Of `bytes`, those before the first DATA frame. */
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

/** Those of a body's bytes in frames; the last frame of the body ends the stream. */
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
