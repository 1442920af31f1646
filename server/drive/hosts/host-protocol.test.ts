/** Protects frames between hosts: what was sent arrives, in whatever pieces, and anything else ends the connection. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { encodeFrame, readFrames } from './host-protocol.ts';

/** Feeds pieces to a reader. Returns its messages, and why it ended the connection; null if it did not. */
function read(pieces: readonly Buffer[]) {
  const said: unknown[] = [];
  let why: string | null = null;
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy(error: Error) {
      why = error.message;
      this.destroyed = true;
    },
  });
  readFrames(
    socket as unknown as Socket,
    () => ({ frame: 10_000, text: 500 }),
    (each) => said.push(each),
  );
  for (const piece of pieces) socket.emit('data', piece);
  return { said, why };
}

const message = {
  call: 1,
  answer: {
    counts: Uint32Array.of(7, 1, 2 ** 32 - 1),
    none: new Uint32Array(),
    lat: Float32Array.of(0.5, 3),
  },
  text: 'é',
};

test('arrays and text arrive as they were, byte by byte and all at once', () => {
  const bytes = Buffer.concat([encodeFrame(message), encodeFrame({ beat: 2 }), encodeFrame(message)]);
  const expected = { said: [message, { beat: 2 }, message], why: null };
  expect(read([bytes])).toEqual(expected);
  expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(expected);
  expect(read([bytes.subarray(0, 50), bytes.subarray(50)])).toEqual(expected);
});

function frameOf(json: string, behind = Buffer.alloc(0), length = 8 + json.length + behind.length): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(length, 0);
  head.writeUInt32LE(json.length, 4);
  return Buffer.concat([head, Buffer.from(json), behind]);
}

test.each([
  ['not JSON', frameOf('{')],
  ['a frame that is longer than allowed', frameOf('{}', Buffer.alloc(0), 10_001)],
  ['a frame without room for its head', frameOf('{}', Buffer.alloc(0), 4)],
  ['an array behind the frame', frameOf('{"u32":[0,2]}', Buffer.alloc(4))],
  ['an array before its place', frameOf('{"u32":[-4,2]}', Buffer.alloc(4))],
  ['an array that is there twice', frameOf('[{"u32":[0,1]},{"u32":[0,1]}]', Buffer.alloc(4))],
  ['an array before another one', frameOf('[{"u32":[4,1]},{"u32":[0,1]}]', Buffer.alloc(8))],
  ['a text that is longer than allowed', frameOf(JSON.stringify('x'.repeat(500)))],
  ['an array without end', frameOf('{"f32":[0,9007199254740991]}', Buffer.alloc(4))],
  [
    'text that is longer than its frame',
    Buffer.concat([Buffer.from([9, 0, 0, 0, 200, 0, 0, 0]), Buffer.from('1')]),
  ],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('%s ends the connection', (_, bytes) => {
  const { said, why } = read([bytes, encodeFrame({ beat: 1 })]);
  expect(why).toMatch(/what is not a message/);
  expect(said).toEqual([]);
});

test('what looks like an array and is none stays what it is', () => {
  const like = [{ u32: 'x' }, { u32: [1] }, { u32: [0, 0], more: 1 }, { f32: null }];
  expect(read([encodeFrame(like)]).said).toEqual([like]);
});
