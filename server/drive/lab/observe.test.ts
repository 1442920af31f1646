/** Protects how TLS messages are counted, wherever the stream is cut. */
import { expect, test } from 'vitest';
import { RecordReader, readWire } from './observe.ts';

const retryRandom = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c';

function record(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, 3, 3, body.length >> 8, body.length & 0xff]), body]);
}

function serverHello(random: string): Buffer {
  return record(
    22,
    Buffer.concat([Buffer.from([2, 0, 0, 36, 3, 3]), Buffer.from(random, 'hex'), Buffer.alloc(2)]),
  );
}

function read(pieces: [from: 'client' | 'server', piece: Buffer][]) {
  const reader = new RecordReader();
  for (const [from, piece] of pieces) reader.read(from, piece);
  return reader.records;
}

test('records are the same wherever the stream is cut', () => {
  const stream = Buffer.concat([
    record(22, Buffer.alloc(300)),
    record(20, Buffer.alloc(1)),
    record(23, Buffer.alloc(70)),
  ]);
  const whole = read([['client', stream]]);
  expect(whole.map(({ type, bytes }) => [type, bytes])).toEqual([
    [22, 305],
    [20, 6],
    [23, 75],
  ]);
  for (let cut = 1; cut < stream.length; cut++) {
    expect(
      read([
        ['client', stream.subarray(0, cut)],
        ['client', stream.subarray(cut)],
      ]),
    ).toEqual(whole);
  }
});

test('a HelloRetryRequest is told from a ServerHello by its random', () => {
  expect(read([['server', serverHello(retryRandom)]])[0]?.helloRetry).toBe(true);
  expect(read([['server', serverHello('00'.repeat(32))]])[0]?.helloRetry).toBe(false);
});

test('of TLS 1.3, what the server sends between the Finished and the payload are tickets', () => {
  const hello = record(22, Buffer.alloc(200));
  const flight = record(23, Buffer.alloc(700));
  const finished = record(23, Buffer.alloc(50));
  const ticket = record(23, Buffer.alloc(230));
  const byte = record(23, Buffer.alloc(18));
  const records = read([
    ['client', hello],
    ['server', Buffer.concat([hello, flight])],
    ['client', Buffer.concat([finished, byte])],
    ['server', Buffer.concat([ticket, ticket, byte])],
  ]);
  expect(readWire('TLSv1.3', records)).toEqual({
    wire: {
      handshakeBytes: { clientToServer: 260, serverToClient: 910 },
      withTicketsBytes: { clientToServer: 260, serverToClient: 1380 },
      flights: 3,
      helloRetry: false,
    },
    turns: [
      { from: 'client', bytes: 205 },
      { from: 'server', bytes: 910 },
      { from: 'client', bytes: 55 },
      { from: 'server', bytes: 470 },
    ],
  });
});
