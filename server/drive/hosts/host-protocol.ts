import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { z } from 'zod';
import { countSchema, nonNegativeSchema } from '../../../shared/base/units.ts';
import { generatorNameSchema } from '../../../shared/measurement/runner.ts';
import { badStreamError } from '../../base/wire/pinned-channel.ts';

/**
 * A frame is its length and the length of its JSON, 32 bits each, then the JSON, then the typed arrays. In the JSON an array is
 * `{"u32":[at,length]}` or `{"f32":[at,length]}`: its place behind the JSON in bytes, and its number of elements. Each array begins where the
 * one before it ends, so a frame never decodes to more numbers than it has bytes for. Integers are little-endian. The result is JSON
 * and typed arrays, which the reader parses with a schema.
 */
const headBytes = 8;
const elementBytes = 4;

type Placed = [at: number, length: number];

export function encodeFrame(message: unknown): Buffer {
  const arrays: Buffer[] = [];
  let at = 0;
  const json = JSON.stringify(message, (_, value: unknown) => {
    const kind = value instanceof Uint32Array ? 'u32' : value instanceof Float32Array ? 'f32' : null;
    if (kind === null) return value;
    const { buffer, byteOffset, byteLength, length } = value as Uint32Array;
    arrays.push(Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength));
    const placed: Placed = [at, length];
    at += byteLength;
    return { [kind]: placed };
  });
  const text = Buffer.from(json);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(headBytes + text.length + at, 0);
  head.writeUInt32LE(text.length, elementBytes);
  return Buffer.concat([head, text, ...arrays]);
}

/** Throws for what is not a frame. */
function decodeFrame(frame: Buffer): unknown {
  const jsonEnd = headBytes + textBytesOf(frame);
  if (jsonEnd > frame.length) throw new Error('its text is longer than the frame');
  const arrays = frame.subarray(jsonEnd);
  let from = 0;
  return JSON.parse(frame.toString('utf8', headBytes, jsonEnd), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const [[kind, placed] = ['', null], ...others] = Object.entries(value);
    if (others.length > 0 || (kind !== 'u32' && kind !== 'f32') || !isPlaced(placed)) return value;
    const [at, length] = placed;
    const end = at + length * elementBytes;
    if (at !== from || length < 0 || end > arrays.length) throw new Error('an array is out of place');
    from = end;
    // A copy, which is aligned.
    const { buffer } = Uint8Array.prototype.slice.call(arrays, at, end);
    return kind === 'u32' ? new Uint32Array(buffer) : new Float32Array(buffer);
  });
}

function isPlaced(value: unknown): value is Placed {
  return Array.isArray(value) && value.length === 2 && value.every((each) => Number.isSafeInteger(each));
}

/** The most that one frame may hold, in bytes. Parsed JSON needs many times the memory of its text; arrays need what they have here. */
type FrameLimits = { frame: number; text: number };

/**
 * Calls `onFrame` with the content of every frame. Destroys the socket when a frame is over its limits or cannot be decoded.
 * @param limits asked for at the beginning of each frame
 */
export function readFrames(
  socket: Socket,
  limits: () => FrameLimits,
  onFrame: (content: unknown) => void,
): void {
  if (endianness() !== 'LE') throw new Error('frames are little-endian');
  let pieces: Buffer[] = [];
  let have = 0;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    have += piece.length;
    for (;;) {
      if (have < headBytes || socket.destroyed) return;
      const head = headOf(pieces);
      const whole = head.readUInt32LE(0);
      const { frame, text } = limits();
      if (whole < headBytes || whole > frame || textBytesOf(head) > text)
        return void socket.destroy(badStreamError('sends what is not a message'));
      if (have < whole) return;
      const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = have === whole ? [] : [bytes.subarray(whole)];
      have -= whole;
      let content: unknown;
      try {
        content = decodeFrame(bytes.subarray(0, whole));
      } catch {
        return void socket.destroy(badStreamError('sends what is not a message'));
      }
      onFrame(content);
    }
  });
}

function textBytesOf(head: Buffer): number {
  return head.readUInt32LE(elementBytes);
}

/** Begins with the head of the next frame. Joins the first pieces where the head is in several. */
function headOf(pieces: Buffer[]): Buffer {
  const [first] = pieces as [Buffer];
  if (first.length >= headBytes) return first;
  const joined = Buffer.concat(pieces);
  pieces.splice(0, pieces.length, joined);
  return joined;
}

/**
 * The messages between a dashboard and the host of a generator, in frames over TLS 1.3. The dashboard sends a greeting; the host answers with
 * its name and a proof that it has the token. When a run takes the host, the host starts generator processes and passes the
 * conductor's questions to them. Every order carries the fence of that run. Beats renew the host's lease: without them it ends its load.
 */

const mebibyte = 1024 * 1024;

/** Before a host has proved that it has the token. */
export const introductionLimits: FrameLimits = { frame: 16_384, text: 16_384 };
/** From a host: the histograms of one arm are arrays. */
export const replyLimits: FrameLimits = { frame: 64 * mebibyte, text: 4 * mebibyte };
/** From a dashboard: a scenario with all its data is text. */
export const orderLimits: FrameLimits = { frame: 64 * mebibyte, text: 64 * mebibyte };

export const beatEveryMs = 250;
/** How long a host loads without a beat. After that it kills its processes. */
export const leaseMs = 1500;

/** Printed in terminals and logs: one line without control characters. */
function lineSchema(longest: number) {
  return z
    .string()
    .max(longest)
    .regex(/^\P{Cc}*$/u);
}

export const greetingSchema = z.strictObject({
  generators: z.literal('tls-toll'),
  version: lineSchema(60),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
});

export const helloSchema = z.strictObject({
  version: lineSchema(60),
  name: generatorNameSchema,
  cores: z.int().min(1).max(1024),
  allow: z.array(lineSchema(300)).max(50),
  /** HMAC of the name with the `channelKey`. */
  proof: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Hello = z.infer<typeof helloSchema>;

export const welcomeSchema = z.union([
  /** Listeners of the dashboard itself: the host never loads it. */
  z.strictObject({ own: z.array(z.strictObject({ host: z.string().max(60), port: z.int() })).max(200) }),
  /** For good: the host does not ask again. */
  z.strictObject({ refused: lineSchema(300) }),
  /** For now: the name is taken, maybe by an earlier connection of the same host that has not ended yet. */
  z.strictObject({ later: lineSchema(300) }),
]);
export type Welcome = z.infer<typeof welcomeSchema>;

const fenceSchema = z.int().positive();

export const orderSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('beat'), beat: countSchema, fence: fenceSchema.nullable() }),
  z.strictObject({
    type: z.literal('take'),
    call: z.int(),
    fence: fenceSchema,
    processes: z.int().min(1).max(64),
  }),
  z.strictObject({
    type: z.literal('ask'),
    call: z.int(),
    fence: fenceSchema,
    process: countSchema,
    name: z.string().max(20),
    question: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal('release'), fence: fenceSchema }),
]);
export type Order = z.infer<typeof orderSchema>;
export type OrderOf<Type extends Order['type']> = Extract<Order, { type: Type }>;

export const beatReplySchema = z.strictObject({
  beat: countSchema,
  /** On the host's monotonic clock. */
  atUs: nonNegativeSchema,
  /** Its time of day. */
  wallMs: nonNegativeSchema,
});
export type BeatReply = z.infer<typeof beatReplySchema>;

/** The answer to a call of the run with this fence. */
export const replySchema = z.strictObject({
  fence: fenceSchema,
  call: z.int(),
  answer: z.unknown().optional(),
  problem: z.string().max(2000).optional(),
  details: z.string().max(2000).optional(),
});
export type HostReply = z.infer<typeof replySchema>;

/** Proves that a host has the token. @param key of the connection */
export function proofOf(key: Buffer, name: string): string {
  return createHmac('sha256', key).update(`join\n${name}`).digest('hex');
}
