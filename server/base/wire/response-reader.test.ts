/** Protects the HTTP/1.1 reader: where responses end, what is malformed, and where bytes are cut. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complete, incomplete, KnownHead, malformed, mostKeptBytes, type Reading } from './head-bytes.ts';
import { ResponseReader } from './response-reader.ts';

function readAll(text: string | Buffer, { pieces = [] as number[], bodyless = false, closes = false } = {}) {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1');
  const reader = new ResponseReader();
  reader.begin(bodyless);
  let reading: Reading = incomplete;
  let at = 0;
  for (const size of [...pieces, bytes.length]) {
    const piece = bytes.subarray(at, Math.min(bytes.length, at + size));
    if (piece.length === 0) continue;
    reading = reader.read(Buffer.from(piece), piece.length);
    at += piece.length;
    if (reading === malformed) break;
  }
  if (closes) reading = reader.close();
  return { reading, reader };
}

describe('a response with Content-Length', () => {
  test('ends with its last byte', () => {
    const { reading, reader } = readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
    expect([reading, reader.status, reader.bodyBytes, reader.keepAlive]).toEqual([complete, 200, 5, true]);
  });
  test('is not over before its last byte', () => {
    expect(readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell').reading).toBe(incomplete);
  });
  test('followed by more bytes than it announced is malformed', () => {
    expect(readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello!').reading).toBe(malformed);
  });
  test('that names two different lengths is malformed', () => {
    expect(readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello').reading).toBe(
      malformed,
    );
  });
  test.each(['-1', '5x', '', '+5', '1e3', '9999999999999999'])('of "%s" is malformed', (length) => {
    expect(readAll(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`).reading).toBe(malformed);
  });
});

describe('a chunked response', () => {
  const text =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nTrailer: x\r\n\r\n';
  test('counts its chunks and reads its trailers', () => {
    const { reading, reader } = readAll(text);
    expect([reading, reader.bodyBytes]).toEqual([complete, 11]);
  });
  test('with Content-Length beside it is malformed', () => {
    expect(readAll(text.replace('\r\n\r\n', '\r\nContent-Length: 11\r\n\r\n')).reading).toBe(malformed);
  });
  test.each([
    ['a size that is no number', '\r\n5\r\n', '\r\nz\r\n'],
    ['a chunk longer than its size', 'hello\r\n', 'hello!\r\n'],
    ['a bare line feed', '5\r\nhello', '5\nhello'],
  ])('with %s is malformed', (_what, good, bad) => {
    expect(readAll(text.replace(good, bad)).reading).toBe(malformed);
  });
});

describe('a response without a length', () => {
  const text = 'HTTP/1.1 200 OK\r\n\r\nas long as it lasts';
  test('ends when the server closes', () => {
    const { reading, reader } = readAll(text, { closes: true });
    expect([reading, reader.bodyBytes, reader.keepAlive]).toEqual([complete, 19, false]);
  });
  test('has none to read after 204, 304 and HEAD', () => {
    expect(readAll('HTTP/1.1 204 No Content\r\n\r\n').reading).toBe(complete);
    expect(readAll('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n').reading).toBe(complete);
    expect(readAll('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', { bodyless: true }).reading).toBe(
      complete,
    );
  });
});

test('a response cut off by the server is malformed', () => {
  expect(readAll('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe', { closes: true }).reading).toBe(malformed);
});

test('what was wrong is told apart: not HTTP/1.1, a body too long or too short, cut off', () => {
  const failure = (text: string, options = {}) => readAll(text, options).reader.failure.outcome;
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n';
  expect(failure('SSH-2.0-OpenSSH_9.2\r\n\r\n')).toBe('malformed_response');
  expect(failure(`${head}hello!`)).toBe('body_too_long');
  expect(failure('HTTP/1.1 204 No Content\r\n\r\nx')).toBe('body_too_long');
  expect(failure('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx')).toBe('body_too_long');
  expect(failure(`${head}hell`, { closes: true })).toBe('body_too_short');
  expect(failure('HTTP/1.1 200 OK\r\nTransf', { closes: true })).toBe('connection_closed_early');
  expect(failure('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe', { closes: true })).toBe(
    'connection_closed_early',
  );
});

describe('a response that is kept', () => {
  const final = 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n';
  const text = `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${final}5\r\nhello\r\n7\r\n, world\r\n0\r\nA: b\r\n\r\n`;
  const keep = (reader: ResponseReader, pieces: Buffer[], known: KnownHead | null = null) => {
    reader.begin(false, known, true, true);
    for (const piece of pieces) reader.read(piece, piece.length);
    return [reader.keptHead.bytes.toString('latin1'), reader.keptBody.bytes.toString('latin1')];
  };
  test('is its final head and its body without chunks, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (places) => {
        const cuts = [0, ...places.sort((a, b) => a - b), text.length];
        const pieces = cuts.slice(1).map((to, index) => Buffer.from(text.slice(cuts[index], to), 'latin1'));
        expect(keep(new ResponseReader(), pieces)).toEqual([final, 'hello, world']);
      }),
    );
  });
  test('is kept alike when its head is known from before', () => {
    const known = new KnownHead();
    const reader = new ResponseReader();
    const once = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    const first = keep(reader, [once], known);
    expect(known.length).toBeGreaterThan(0);
    expect(keep(reader, [once], known)).toEqual(first);
    expect(first[1]).toBe('hi');
  });
  test('is not kept beyond 10 MiB, but counted', () => {
    const reader = new ResponseReader();
    const size = mostKeptBytes + 5;
    reader.begin(false, null, false, true);
    const bytes = Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`),
      Buffer.alloc(size),
    ]);
    expect(reader.read(bytes, bytes.length)).toBe(complete);
    expect(reader.keptBody.bytes.length).toBe(mostKeptBytes);
    expect([reader.bodyBytes, reader.keptHead.bytes.length]).toEqual([size, 0]);
  });
});

test('interim responses are passed over', () => {
  const { reading, reader } = readAll(
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  );
  expect([reading, reader.status]).toEqual([complete, 200]);
});

test('the connection stays open as the version and Connection say', () => {
  const keeps = (head: string) => readAll(`${head}Content-Length: 0\r\n\r\n`).reader.keepAlive;
  expect(keeps('HTTP/1.1 200 OK\r\n')).toBe(true);
  expect(keeps('HTTP/1.1 200 OK\r\nConnection: close\r\n')).toBe(false);
  expect(keeps('HTTP/1.1 200 OK\r\nconnection: Upgrade, Close\r\n')).toBe(false);
  expect(keeps('HTTP/1.0 200 OK\r\n')).toBe(false);
  expect(keeps('HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n')).toBe(true);
  expect(keeps('HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\n')).toBe(false);
  expect(keeps('HTTP/1.1 200 OK\r\nConnection: close, TE\r\n')).toBe(false);
  expect(keeps('HTTP/1.1 200 OK\r\nConnection: closed\r\n')).toBe(true);
});

test('Server-Timing gives the time of the application in µs', () => {
  const time = (...values: string[]) => {
    const lines = values.map((value) => `Server-Timing: ${value}\r\n`).join('');
    return readAll(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`).reader.executionUs;
  };
  expect(time('app;dur=1.234')).toBeCloseTo(1234, 6);
  expect(time('webapp;dur=91.5, app;dur=2')).toBe(2000);
  expect(time('app;dur=2', 'cdn;dur=9')).toBe(2000);
  expect(time('cdn;dur=9', 'app;dur="2"')).toBe(2000);
  expect(time('cdn;dur=9')).toBe(-1);
});

test('Server-Timing of an interim response is not that of the response', () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nServer-Timing: app;dur=9\r\n\r\n';
  expect(readAll(`${hints}HTTP/1.1 204 No Content\r\n\r\n`).reader.executionUs).toBe(-1);
});

test.each([
  'HTTP/2 200 OK\r\n\r\n',
  'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\n folded: x\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
])('%j is malformed', (text) => {
  expect(readAll(text, { closes: true }).reading).toBe(malformed);
});

test('a head may have 256 KiB, in pieces as in one, and no more', () => {
  const begin = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ';
  const fill = 'y'.repeat(262_144 - begin.length - 4);
  const pieces = Array(300).fill(1000);
  for (const cut of [[], pieces]) {
    expect(readAll(`${begin}${fill}\r\n\r\n`, { pieces: cut }).reading).toBe(complete);
    expect(readAll(`${begin}${fill}y\r\n\r\n`, { pieces: cut }).reading).toBe(malformed);
  }
});

test('a head means the same however its lines end and wherever they are folded', () => {
  const heads: [lines: string[], rest: string][] = [
    [['HTTP/1.1 200 OK', 'Connection: TE, close', 'Content-Length: 5'], 'hello'],
    [
      ['HTTP/1.0 200 OK', 'Connection: keep-alive', 'Server-Timing: db, app;dur=2', 'Content-Length: 5'],
      'hello',
    ],
    [['HTTP/1.1 200', 'Transfer-Encoding: gzip, chunked'], '5\r\nhello\r\n0\r\n\r\n'],
    [['HTTP/1.1 103 Early Hints', 'Link: a, b', '', 'HTTP/1.1 200 OK', 'Content-Length: 0'], ''],
  ];
  const read = (text: string, pieces: number[]) => {
    const { reading, reader } = readAll(text, { pieces });
    const { status, bodyBytes, keepAlive, executionUs } = reader;
    return { reading, status, bodyBytes, keepAlive, executionUs };
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...heads),
      fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 7, maxLength: 7 }),
      fc.constantFrom(' ', '\r\n ', '\n\t', ' \r\n  '),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 }),
      ([lines, rest], ends, fold, pieces) => {
        const folded = lines.map((line) => line.replaceAll(/(?<=[:,]) /g, fold));
        const written = [...folded, ''].map((line, index) => `${line}${ends[index]}`).join('');
        const plain = read(`${[...lines, '', ''].join('\r\n')}${rest}`, []);
        expect(plain.reading).toBe(complete);
        expect(read(`${written}${rest}`, pieces)).toEqual(plain);
      },
    ),
  );
});

test.each([262_200, 400_000])('a head of %i bytes is malformed, because it is over 256 KiB', (length) => {
  const text = `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(length)}\r\n\r\n`;
  for (const pieces of [[], [1000], [60_000, 9000]]) {
    const { reading, reader } = readAll(text, { pieces });
    expect([reading, reader.failure.detail]).toEqual([
      malformed,
      'the head of the response is longer than 256 KiB',
    ]);
  }
});

test('where the bytes are cut makes no difference', () => {
  const responses = [
    'HTTP/1.1 200 OK\r\nContent-Length: 12\r\nServer-Timing: app;dur=0.5\r\n\r\nhello, world',
    'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nc\r\nhello, world\r\n0\r\nA: b\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...responses),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 200 }),
      (text, pieces) => {
        const whole = readAll(text);
        const cut = readAll(text, { pieces });
        expect(cut.reading).toBe(complete);
        expect([
          cut.reader.status,
          cut.reader.bodyBytes,
          cut.reader.keepAlive,
          cut.reader.executionUs,
        ]).toEqual([
          whole.reader.status,
          whole.reader.bodyBytes,
          whole.reader.keepAlive,
          whole.reader.executionUs,
        ]);
      },
    ),
  );
});
