import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { badStreamError } from '../../base/pinned/pinned.ts';

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
export type FrameLimits = { frame: number; text: number };

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
