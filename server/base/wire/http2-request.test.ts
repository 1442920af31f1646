/** Protects the frames of an HTTP/2 request. */
import { expect, test } from 'vitest';
import { assembleHttp2Request, headBytes, type RequestParts } from './http2-request.ts';

function assemble(parts: Partial<RequestParts>) {
  return assembleHttp2Request({
    method: 'GET',
    path: '/',
    scheme: 'http',
    authority: 'www.example.com',
    headers: [],
    body: null,
    shared: true,
    ...parts,
  });
}

type Seen = { type: number; flags: number; length: number };

function framesOf(bytes: Buffer): Seen[] {
  const frames: Seen[] = [];
  for (let at = 0; at < bytes.length; at += headBytes + bytes.readUIntBE(at, 3)) {
    frames.push({ length: bytes.readUIntBE(at, 3), type: bytes[at + 3] ?? -1, flags: bytes[at + 4] ?? -1 });
  }
  return frames;
}

test('a request is one frame: what the static table holds by number, the rest as literals', () => {
  const { bytes } = assemble({ headers: [['Cache-Control', 'no-cache']] });
  expect(bytes.toString('hex')).toBe(
    `00001f 01 05 00000000 8286 010f ${Buffer.from('www.example.com').toString('hex')} 84 0f09 08 ${Buffer.from('no-cache').toString('hex')}`.replaceAll(
      ' ',
      '',
    ),
  );
});

test('an empty body is announced, and the head ends the stream', () => {
  const { bytes } = assemble({ method: 'POST', body: Buffer.alloc(0) });
  expect(framesOf(bytes)).toMatchObject([{ type: 1, flags: 5 }]);
  expect(bytes.subarray(-4).toString('hex')).toBe('0f0d0130');
});

test('a body goes into frames that every server takes; the last one ends the stream', () => {
  const request = assemble({ method: 'POST', body: Buffer.alloc(40_000) });
  expect(framesOf(request.bytes)).toMatchObject([
    { type: 1, flags: 4 },
    { type: 0, flags: 0, length: 16_384 },
    { type: 0, flags: 0, length: 16_384 },
    { type: 0, flags: 1, length: 7232 },
  ]);
  expect(request.idOffsets).toHaveLength(4);
  for (const at of request.idOffsets) expect(request.bytes.readUInt32BE(at)).toBe(0);
  expect(framesOf(request.bytes.subarray(0, request.headLength))).toHaveLength(1);
});

test('a head that is larger than a frame goes on in CONTINUATION', () => {
  const headers = Array.from({ length: 4 }, (_, index) => [`x-${index}`, 'v'.repeat(8000)] as const);
  expect(framesOf(assemble({ headers }).bytes)).toMatchObject([
    { type: 1, flags: 1, length: 16_384 },
    { type: 9, flags: 4 },
  ]);
});

test('what belongs to a connection of HTTP/1.1 is left out', () => {
  const { bytes } = assemble({ headers: [['Keep-Alive', 'timeout=5']] });
  expect(bytes.equals(assemble({}).bytes)).toBe(true);
});
