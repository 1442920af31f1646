/** Protects the HTTP/1.1 reader: a response that Node’s own parser accepts, ours reads alike. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complete, malformed } from './head-bytes.ts';
import { ResponseReader } from './response-reader.ts';

let server: Server;
let bytesToSend: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytesToSend));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

type Reading =
  | { status: number; keepAlive: boolean; bodyBytes: number; body: string; fields: string[] }
  | 'refused';

/** @param insecureHTTPParser takes LF alone and folded lines as well, and a CR for the end of a line */
function readByNode(bytes: Buffer, insecureHTTPParser: boolean): Promise<Reading> {
  bytesToSend = bytes;
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const agent = new Agent({ keepAlive: true });
    const options = { port, host: '127.0.0.1', agent, insecureHTTPParser, maxHeaderSize: 300_000 };
    const sent = request(options, (response) => {
      const keepAlive = sent.shouldKeepAlive;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve('refused'));
      response.on('close', () => {
        const body = Buffer.concat(chunks);
        const reading = {
          status: response.statusCode ?? 0,
          keepAlive,
          bodyBytes: body.length,
          body: body.toString('latin1'),
          fields: response.rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)),
        };
        resolve(response.complete ? reading : 'refused');
      });
    });
    sent.on('error', () => resolve('refused'));
    sent.end();
  });
}

function readByUs(bytes: Buffer): Reading {
  const reader = new ResponseReader();
  reader.begin(false, null, true, true);
  let reading = reader.read(bytes, bytes.length);
  if (reading !== complete && reading !== malformed) reading = reader.close();
  if (reading !== complete) return 'refused';
  return {
    status: reader.status,
    keepAlive: reader.keepAlive,
    bodyBytes: reader.bodyBytes,
    body: reader.keptBody.bytes.toString('latin1'),
    fields: reader.headers.flat(),
  };
}

/** In HTTP/1.0 Node heeds `keep-alive` although `close` stands beside it, against RFC 9112, section 9.3. */
function asWeRead(bytes: Buffer, reading: Reading): Reading {
  const saysBoth = /^HTTP\/1\.0[\s\S]*connection:(?:[^\r\n]|\r?\n[ \t])*close/i.test(
    bytes.toString('latin1'),
  );
  return saysBoth && reading !== 'refused' ? { ...reading, keepAlive: false } : reading;
}

const fields = [
  'Content-Type: text/plain',
  'X-Empty:',
  'X-Spaces:  a b  ',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: TE, Close',
  'connection:keep-alive , close',
  'Server-Timing: app;dur=1',
  'Set-Cookie: a=b',
];
const looseFields = [
  ...fields,
  'X-Folded: a,\r\n b',
  'connection: keep-alive,\r\n close',
  `X-Long: ${'y'.repeat(100_000)}`,
];

const body = fc.string({ maxLength: 300, unit: 'grapheme-ascii' });

const framed = fc.oneof(
  body.map((text) => ({ fields: [`Content-Length: ${text.length}`], text })),
  fc.array(body, { maxLength: 5 }).map((chunks) => ({
    fields: ['Transfer-Encoding: chunked'],
    text: `${chunks
      .filter((chunk) => chunk.length > 0)
      .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      .join('')}0\r\n\r\n`,
  })),
  body.map((text) => ({ fields: [], text })),
);

/** @param end of each line of the head */
const responseWith = (field: string[], end: string) =>
  fc
    .record({
      minor: fc.constantFrom(1, 1, 0),
      status: fc.constantFrom(200, 201, 204, 302, 304, 404, 500, 503),
      fields: fc.array(fc.constantFrom(...field), { maxLength: 6 }),
      framed,
    })
    .map(({ minor, status, fields, framed: { fields: framing, text } }) => {
      const bodyless = status === 204 || status === 304;
      const lines = [`HTTP/1.${minor} ${status} Reason`, ...fields, ...(bodyless ? [] : framing)];
      const head = [...lines, '', ''].join('\r\n').replaceAll('\r\n', end);
      return Buffer.from(`${head}${bodyless ? '' : text}`, 'latin1');
    });

const strict = responseWith(fields, '\r\n');

test('whatever is valid is read as Node reads it', async () => {
  const loose = fc.oneof(responseWith(looseFields, '\r\n'), responseWith(looseFields, '\n'));
  await fc.assert(
    fc.asyncProperty(fc.oneof(strict, loose), async (bytes) => {
      expect(readByUs(bytes)).toEqual(asWeRead(bytes, await readByNode(bytes, true)));
    }),
    { numRuns: 300 },
  );
});

/** Whether each element of `Connection` is one of those above. No standard says what a damaged one means. */
function isSound(reading: Reading): boolean {
  const fields = reading === 'refused' ? [] : reading.fields;
  return fields.every(
    (name, index) =>
      index % 2 === 1 ||
      name !== 'connection' ||
      (fields[index + 1] ?? '').split(',').every((each) => /^(keep-alive|close|te)$/i.test(each.trim())),
  );
}

test('of damaged responses, those that both accept are read alike', async () => {
  const mutated = fc
    .tuple(
      strict,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 10, 13, 32, 58, 48, 57, 120, 255)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([bytes, edits]) => {
      const copy = Buffer.from(bytes);
      for (const [at, byte] of edits) copy[at % copy.length] = byte;
      return copy;
    });
  let bothAccepted = 0;
  await fc.assert(
    fc.asyncProperty(mutated, async (bytes) => {
      const ours = readByUs(bytes);
      const theirs = await readByNode(bytes, false);
      if (ours === 'refused' || theirs === 'refused') return;
      bothAccepted++;
      const expected = asWeRead(bytes, theirs);
      expect(isSound(ours) ? ours : { ...ours, keepAlive: null }).toEqual(
        isSound(ours) ? expected : { ...(expected as object), keepAlive: null },
      );
    }),
    { numRuns: 1000 },
  );
  expect(bothAccepted).toBeGreaterThan(50);
});
