/** Protects HTTP/2 frame by frame: responses, goodbyes, windows, and what is malformed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complete, incomplete, malformed, type Reading } from './head-bytes.ts';
import { Http2Conversation, settings, windowUpdate } from './http2-conversation.ts';
import { assembleHttp2Request, frame, type RequestParts } from './http2-request.ts';

const data = 0;
const headers = 1;
const priority = 2;
const reset = 3;
const pushPromise = 5;
const ping = 6;
const goAway = 7;
const continuation = 9;
const endStream = 1;
const endHeaders = 4;
const padded = 8;

const ok = Buffer.of(0x88);
const hello = settings([]);

function request(parts: Partial<RequestParts> = {}) {
  return assembleHttp2Request({
    method: 'GET',
    path: '/',
    scheme: 'http',
    authority: 'a.test',
    headers: [],
    body: null,
    shared: true,
    ...parts,
  });
}

function literal(name: string, value: string): Buffer {
  return Buffer.from(
    `\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`,
  );
}

/** A conversation that has greeted and asked. */
function asking({ keeps = false, method = 'GET' } = {}): Http2Conversation {
  const conversation = new Http2Conversation();
  give(conversation, hello);
  conversation.takeReplies();
  conversation.begin(request({ method }), keeps);
  return conversation;
}

function give(conversation: Http2Conversation, ...frames: Buffer[]): Reading {
  const bytes = Buffer.concat(frames);
  return conversation.read(bytes, bytes.length);
}

describe('a response', () => {
  test('ends with the frame that ends its stream', () => {
    const conversation = asking();
    expect(give(conversation, frame(headers, endHeaders, 1, ok))).toBe(incomplete);
    expect(give(conversation, frame(data, 0, 1, Buffer.from('hel')))).toBe(incomplete);
    expect(give(conversation, frame(data, endStream, 1, Buffer.from('lo')))).toBe(complete);
    expect([conversation.status, conversation.bodyBytes, conversation.keepAlive]).toEqual([200, 5, true]);
  });

  test('may end with its head, with an empty frame, or with trailers', () => {
    const head = frame(headers, endHeaders, 1, ok);
    const ends = [
      [frame(headers, endHeaders | endStream, 1, ok)],
      [head, frame(data, endStream, 1, Buffer.alloc(0))],
      [head, frame(headers, endHeaders | endStream, 1, literal('x', 'y'))],
    ];
    for (const frames of ends) expect(give(asking(), ...frames)).toBe(complete);
  });

  test('is read alike wherever its bytes are cut', () => {
    const bytes = Buffer.concat([
      frame(headers, endHeaders, 1, Buffer.of(0x08, 3, 49, 48, 51)),
      frame(ping, 0, 0, Buffer.alloc(8, 7)),
      frame(headers, padded, 1, Buffer.concat([Buffer.of(3), ok, Buffer.alloc(3)])),
      frame(continuation, endHeaders, 1, Buffer.concat([literal('server-timing', 'app;dur=2')])),
      frame(data, padded, 1, Buffer.concat([Buffer.of(2), Buffer.from('hello'), Buffer.alloc(2)])),
      frame(200, 0, 5, Buffer.from('of an unknown type')),
      frame(priority, 0, 1, Buffer.alloc(5)),
      frame(data, endStream | padded, 1, Buffer.of(0)),
    ]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 100 }), (sizes) => {
        const conversation = asking({ keeps: true });
        let reading: Reading = incomplete;
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          if (at === bytes.length) break;
          // A buffer that is used again, as a connection's is.
          const piece = Buffer.alloc(bytes.length);
          const length = bytes.copy(piece, 0, at, at + size);
          reading = conversation.read(piece, length);
          piece.fill(255);
          at += length;
        }
        expect(reading).toBe(complete);
        expect(conversation).toMatchObject({ status: 200, bodyBytes: 5, executionUs: 2000 });
        expect(conversation.headers).toEqual([['server-timing', 'app;dur=2']]);
        expect(conversation.keptBody.bytes.toString()).toBe('hello');
        expect(conversation.takeReplies()).toEqual(frame(ping, 1, 0, Buffer.alloc(8, 7)));
      }),
    );
  });

  test('to HEAD has no body, whatever length it names', () => {
    const head = frame(
      headers,
      endHeaders | endStream,
      1,
      Buffer.concat([ok, literal('content-length', '9')]),
    );
    expect(give(asking({ method: 'HEAD' }), head)).toBe(complete);
    expect(give(asking(), head)).toBe(malformed);
  });

  test('with fewer or more bytes than it named says which', () => {
    const head = frame(headers, endHeaders, 1, Buffer.concat([ok, literal('content-length', '5')]));
    const short = asking();
    expect(give(short, head, frame(data, endStream, 1, Buffer.alloc(4)))).toBe(malformed);
    expect(short.failure.outcome).toBe('body_too_short');
    const long = asking();
    expect(give(long, head, frame(data, 0, 1, Buffer.alloc(6)))).toBe(malformed);
    expect(long.failure.outcome).toBe('body_too_long');
    const cut = asking();
    expect([give(cut, head), cut.close(), cut.failure.outcome]).toEqual([
      incomplete,
      malformed,
      'body_too_short',
    ]);
  });

  test('that the server resets, or that is cut off, is none', () => {
    const wasReset = asking();
    expect(give(wasReset, frame(reset, 0, 1, Buffer.of(0, 0, 0, 7)))).toBe(malformed);
    expect(wasReset.failure).toEqual({
      outcome: 'connection_reset',
      detail: 'the server reset the stream (REFUSED_STREAM)',
      untouched: true,
    });
    const cut = asking();
    expect([cut.close(), cut.failure.outcome]).toEqual([malformed, 'connection_closed_early']);
  });
});

describe('what may not be there is malformed:', () => {
  const head = frame(headers, endHeaders, 1, ok);
  test.each<[string, Buffer[]]>([
    ['text', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
    ['a frame that is too large', [frame(data, 0, 1, Buffer.alloc(16_385))]],
    ['a body without a head', [frame(data, 0, 1, ok)]],
    ['a response on another stream', [frame(headers, endHeaders, 3, ok)]],
    ['a response on no stream', [frame(headers, endHeaders, 0, ok)]],
    ['a push', [frame(pushPromise, endHeaders, 1, Buffer.concat([Buffer.of(0, 0, 0, 2), ok]))]],
    ['padding that fills more than its frame', [head, frame(data, padded, 1, Buffer.of(1))]],
    ['padding in a frame without room for its length', [head, frame(data, padded, 1, Buffer.alloc(0))]],
    ['a head with too much padding', [frame(headers, endHeaders | padded, 1, Buffer.of(3, 0x88))]],
    ['a head with a priority that is cut off', [frame(headers, endHeaders | 32, 1, ok)]],
    ['a head that is interrupted', [frame(headers, 0, 1, ok), frame(ping, 0, 0, Buffer.alloc(8))]],
    ['a head that goes on after its end', [head, frame(continuation, endHeaders, 1, ok)]],
    ['a head that goes on on another stream', [frame(headers, 0, 1, ok), frame(continuation, 4, 3, ok)]],
    ['a second head', [head, head]],
    ['trailers that do not end the stream', [head, frame(headers, endHeaders, 1, literal('a', 'b'))]],
    ['trailers with a status', [head, frame(headers, endHeaders | endStream, 1, ok)]],
    ['a body after the end', [head, frame(data, endStream, 1, ok), frame(data, endStream, 1, ok)]],
    ['an interim response that ends the stream', [frame(headers, 5, 1, Buffer.of(0x08, 3, 49, 48, 51))]],
    ['a switch of protocols', [frame(headers, endHeaders, 1, Buffer.of(0x08, 3, 49, 48, 49))]],
    ['settings of an odd length', [frame(4, 0, 0, Buffer.alloc(5))]],
    ['an acknowledgement with settings', [frame(4, 1, 0, Buffer.alloc(6))]],
    ['settings on a stream', [frame(4, 0, 1, Buffer.alloc(0))]],
    ['a frame size below the least', [settings([[5, 16_383]])]],
    ['a window beyond the largest', [settings([[4, 2 ** 31]])]],
    ['a window that grows beyond the largest', [windowUpdate(0, 2 ** 31 - 1)]],
    ['a window that grows by nothing', [windowUpdate(0, 0)]],
    ['a ping of an odd length', [frame(ping, 0, 0, Buffer.alloc(7))]],
    ['a reset of an odd length', [frame(reset, 0, 1, Buffer.alloc(5))]],
    ['a goodbye of an odd length', [frame(goAway, 0, 0, Buffer.alloc(7))]],
    [
      'a head of more than 256 KiB',
      [
        frame(headers, 0, 1, Buffer.alloc(16_384, 0x88)),
        ...Array(16).fill(frame(continuation, 0, 1, Buffer.alloc(16_384))),
      ],
    ],
  ])('%s', (_what, frames) => {
    const conversation = asking();
    expect(give(conversation, ...frames)).toBe(malformed);
    expect(conversation.keepAlive).toBe(false);
  });

  test('anything before the settings of the server', () => {
    const conversation = new Http2Conversation();
    expect(give(conversation, frame(ping, 0, 0, Buffer.alloc(8)))).toBe(malformed);
  });
});

describe('the connection', () => {
  test('goes on to the next stream after each response', () => {
    const conversation = asking();
    for (const stream of [1, 3, 5]) {
      expect(give(conversation, frame(headers, endHeaders | endStream, stream, ok))).toBe(complete);
      expect(conversation.begin(request(), false).readUInt32BE(5)).toBe(stream + 2);
      expect([conversation.started, conversation.status]).toEqual([false, 0]);
    }
  });

  test('writes its own copy of a request that others send too', () => {
    const shared = request();
    new Http2Conversation(9).begin(shared, false);
    expect(shared.bytes.readUInt32BE(5)).toBe(0);
    const own = request({ shared: false });
    expect(new Http2Conversation(9).begin(own, false)).toBe(own.bytes);
  });

  test('acknowledges settings and pings, and nothing else', () => {
    const conversation = asking();
    expect(give(conversation, settings([[3, 100]]), frame(ping, 0, 0, Buffer.alloc(8, 1)))).toBe(incomplete);
    expect(conversation.takeReplies()).toEqual(
      Buffer.concat([frame(4, 1, 0, Buffer.alloc(0)), frame(ping, 1, 0, Buffer.alloc(8, 1))]),
    );
    expect(give(conversation, frame(4, 1, 0, Buffer.alloc(0)), frame(ping, 1, 0, Buffer.alloc(8)))).toBe(0);
    expect(conversation.takeReplies()).toBeNull();
    expect(conversation.started).toBe(false);
  });

  test('is not used again after a goodbye, which the response under way outlives', () => {
    const conversation = asking();
    expect(give(conversation, frame(goAway, 0, 0, Buffer.of(0, 0, 0, 1, 0, 0, 0, 0)))).toBe(incomplete);
    expect(give(conversation, frame(headers, endHeaders | endStream, 1, ok))).toBe(complete);
    expect(conversation.keepAlive).toBe(false);
  });

  test('has lost a request that the goodbye leaves out', () => {
    const conversation = asking();
    expect(give(conversation, frame(goAway, 0, 0, Buffer.of(0, 0, 0, 0, 0, 0, 0, 11)))).toBe(malformed);
    expect(conversation.failure).toMatchObject({
      detail: expect.stringContaining('ENHANCE_YOUR_CALM'),
      untouched: true,
    });
  });

  test.each([
    [7, true],
    [8, undefined],
  ])('a stream that is reset with the code %i may have been worked on: not %s', (code, untouched) => {
    const conversation = asking();
    expect(give(conversation, frame(reset, 0, 1, Buffer.of(0, 0, 0, code)))).toBe(malformed);
    expect(conversation.failure.untouched).toBe(untouched);
  });

  test('is given up when the goodbye comes between two requests', () => {
    const conversation = asking();
    give(conversation, frame(headers, endHeaders | endStream, 1, ok));
    expect(give(conversation, frame(goAway, 0, 0, Buffer.of(0, 0, 0, 1, 0, 0, 0, 0)))).toBe(malformed);
  });

  test('ends when its stream ids are used up', () => {
    const conversation = new Http2Conversation(2 ** 31 - 3);
    expect([conversation.begin(request(), false).readUInt32BE(5), conversation.keepAlive]).toEqual([
      2 ** 31 - 3,
      true,
    ]);
    expect([conversation.begin(request(), false).readUInt32BE(5), conversation.keepAlive]).toEqual([
      2 ** 31 - 1,
      false,
    ]);
  });
});

describe('a large body of a request', () => {
  const body = Buffer.alloc(200_000, 'b');

  function sent(bytes: Buffer | null): number {
    let sum = 0;
    for (let at = 0; bytes !== null && at < bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
      if (bytes[at + 3] === data) sum += bytes.readUIntBE(at, 3);
    }
    return sum;
  }

  test('is held back by either window and goes on when both let it', () => {
    const conversation = new Http2Conversation();
    expect(sent(conversation.begin(request({ method: 'POST', body }), false))).toBe(65_535);
    give(conversation, settings([[4, 100_000]]));
    expect(sent(conversation.takeReplies())).toBe(0);
    give(conversation, windowUpdate(0, 1_000_000));
    expect(sent(conversation.takeReplies())).toBe(34_465);
    give(conversation, windowUpdate(1, 99_999));
    expect(sent(conversation.takeReplies())).toBe(99_999);
    give(conversation, windowUpdate(1, 99_999));
    const last = conversation.takeReplies();
    expect(last?.toString('hex')).toBe('00000100010000000162');
    expect(give(conversation, frame(headers, endHeaders | endStream, 1, ok))).toBe(complete);
    expect(conversation.takeReplies()).toBeNull();
  });

  test('waits for a window that the server has made smaller than what was sent', () => {
    const conversation = new Http2Conversation();
    conversation.begin(request({ method: 'POST', body }), false);
    give(conversation, settings([[4, 1000]]), windowUpdate(0, 1_000_000), windowUpdate(1, 64_535));
    expect(sent(conversation.takeReplies())).toBe(0);
    give(conversation, windowUpdate(1, 10));
    expect(sent(conversation.takeReplies())).toBe(10);
  });

  test('is called off when the answer does not wait for it', () => {
    const conversation = new Http2Conversation();
    conversation.begin(request({ method: 'POST', body }), false);
    give(conversation, hello);
    conversation.takeReplies();
    expect(give(conversation, frame(headers, endHeaders | endStream, 1, ok))).toBe(complete);
    expect(conversation.takeReplies()).toEqual(frame(reset, 0, 1, Buffer.of(0, 0, 0, 8)));
  });

  test('of many requests uses up the window of the connection', () => {
    const conversation = new Http2Conversation();
    const half = request({ method: 'POST', body: body.subarray(0, 40_000) });
    expect(sent(conversation.begin(half, false))).toBe(40_000);
    give(conversation, hello, frame(headers, endHeaders | endStream, 1, ok));
    expect(sent(conversation.begin(half, false))).toBe(25_535);
  });
});

test('the windows of the server are widened once half of one is used', () => {
  const conversation = asking();
  give(conversation, frame(headers, endHeaders, 1, ok));
  const chunk = frame(data, 0, 1, Buffer.alloc(16_384));
  const block = Buffer.concat(Array(64).fill(chunk));
  for (let index = 0; index < 1023; index++) conversation.read(block, block.length);
  expect(conversation.takeReplies()).toBeNull();
  conversation.read(block, block.length);
  expect(conversation.takeReplies()).toEqual(
    Buffer.concat([windowUpdate(0, 2 ** 30), windowUpdate(1, 2 ** 30)]),
  );
});

test('garbage never throws', () => {
  const valid = Buffer.concat([
    frame(headers, endHeaders, 1, Buffer.concat([ok, literal('server-timing', 'app;dur=2')])),
    settings([[4, 70_000]]),
    frame(data, padded, 1, Buffer.concat([Buffer.of(2), Buffer.from('hello'), Buffer.alloc(2)])),
    frame(ping, 0, 0, Buffer.alloc(8)),
    frame(headers, endHeaders | endStream, 1, literal('x', 'y')),
  ]);
  const edits = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 4 });
  let accepted = 0;
  fc.assert(
    fc.property(edits, fc.uint8Array({ maxLength: 40 }), fc.nat(valid.length), (changes, extra, cut) => {
      const bytes = Buffer.concat([valid.subarray(0, cut), extra, valid.subarray(cut)]);
      for (const [at, value] of changes) bytes[at] = value;
      const conversation = asking({ keeps: true });
      const readings = [bytes.subarray(0, cut), bytes.subarray(cut)].map((piece) =>
        give(conversation, piece),
      );
      if (readings.includes(complete)) accepted++;
      expect([incomplete, complete, malformed]).toContain(readings[1]);
      expect(conversation.bodyBytes).toBeLessThanOrEqual(bytes.length);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(50);
});
