import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { badStreamError } from '../../../base/pinned/connect-pinned.ts';

/**
 * A frame is its length and the length of its JSON, of 32 bits each, the JSON, and the typed arrays that stand in it as
 * `{"u32":[at,length]}` or `{"f32":[at,length]}`: where they begin behind the JSON, in bytes, and how many elements they have. What comes of one
 * is JSON and numbers; whoever reads it parses it with a schema. Numbers are little-endian.
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
  const jsonEnd = headBytes + frame.readUInt32LE(elementBytes);
  if (jsonEnd > frame.length) throw new Error('its text is longer than the frame');
  const behind = frame.subarray(jsonEnd);
  return JSON.parse(frame.toString('utf8', headBytes, jsonEnd), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const [[kind, placed] = ['', null], ...others] = Object.entries(value);
    if (others.length > 0 || (kind !== 'u32' && kind !== 'f32') || !isPlaced(placed)) return value;
    return arrayAt(behind, kind, placed);
  });
}

function isPlaced(value: unknown): value is Placed {
  return Array.isArray(value) && value.length === 2 && value.every((each) => Number.isSafeInteger(each));
}

function arrayAt(bytes: Buffer, kind: 'u32' | 'f32', [at, length]: Placed): Uint32Array | Float32Array {
  const end = at + length * elementBytes;
  if (at < 0 || length < 0 || end > bytes.length) throw new Error('an array is outside of the frame');
  // A copy, which is aligned.
  const { buffer } = Uint8Array.prototype.slice.call(bytes, at, end);
  return kind === 'u32' ? new Uint32Array(buffer) : new Float32Array(buffer);
}

/**
 * Calls `onFrame` with what every frame says; destroys the socket of whoever sends a longer one, or none.
 * @param longest in bytes, asked for at the beginning of each
 */
export function readFrames(socket: Socket, longest: () => number, onFrame: (said: unknown) => void): void {
  if (endianness() !== 'LE') throw new Error('frames are little-endian');
  let pieces: Buffer[] = [];
  let have = 0;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    have += piece.length;
    for (;;) {
      if (have < headBytes || socket.destroyed) return;
      const whole = headOf(pieces);
      if (whole < headBytes || whole > longest())
        return void socket.destroy(badStreamError('sends what is not a message'));
      if (have < whole) return;
      const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = have === whole ? [] : [bytes.subarray(whole)];
      have -= whole;
      let said: unknown;
      try {
        said = decodeFrame(bytes.subarray(0, whole));
      } catch {
        return void socket.destroy(badStreamError('sends what is not a message'));
      }
      onFrame(said);
    }
  });
}

/** The length of the frame that begins here. Puts the first pieces together where it is in several. */
function headOf(pieces: Buffer[]): number {
  const [first] = pieces as [Buffer];
  if (first.length >= headBytes) return first.readUInt32LE(0);
  const joined = Buffer.concat(pieces);
  pieces.splice(0, pieces.length, joined);
  return joined.readUInt32LE(0);
}
