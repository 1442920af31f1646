/** Protects HARs as people bring them: nothing that decides what the server does is lost without a word. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a variable
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { importStream } from './import-stream.ts';

type Fields = Record<string, unknown>;

/** An entry in Chrome's shape. */
function entry(path: string, request: Fields = {}, response: Fields = {}, rest: Fields = {}) {
  return {
    _initiator: { type: 'other' },
    _priority: 'VeryHigh',
    _resourceType: 'xhr',
    startedDateTime: '2026-11-27T10:00:00.000Z',
    time: 12.5,
    request: {
      ...{ method: 'GET', url: `https://shop.example${path}`, httpVersion: 'http/2.0', cookies: [] },
      ...{ headers: [{ name: ':method', value: 'GET' }], queryString: [], headersSize: -1, bodySize: 0 },
      ...request,
    },
    response: {
      ...{ status: 200, statusText: '', httpVersion: 'http/2.0', cookies: [], headers: [] },
      ...{ content: { size: 2, mimeType: 'application/json', text: '{}' }, redirectURL: '' },
      ...response,
    },
    timings: { blocked: 1, send: 0.2, wait: 10, receive: 1 },
    ...rest,
  };
}

async function read(entries: readonly object[], encode: (text: string) => Buffer = Buffer.from) {
  const log = { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries };
  const bytes = encode(JSON.stringify({ log }));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, index) =>
    bytes.subarray(index * 997, (index + 1) * 997),
  );
  return importStream(Readable.from(pieces), { name: 'Brought', choices: trafficChoicesSchema.parse({}) });
}

const form = 'application/x-www-form-urlencoded';
function post(params: object[], type: string, length: number | null, more: Fields = {}) {
  const headers = [
    { name: 'Content-Type', value: type },
    ...(length === null ? [] : [{ name: 'Content-Length', value: `${length}` }]),
  ];
  return entry('/send', {
    method: 'POST',
    headers,
    postData: { mimeType: type, params, ...more },
    bodySize: -1,
  });
}

test.each<[string, object[]]>([
  ['a 401', [entry('/api', {}, { status: 401 })]],
  [
    'a cookie that is set and never sent',
    [entry('/', {}, { headers: [{ name: 'Set-Cookie', value: 'sid=7' }] }), entry('/cart')],
  ],
])('Chrome’s usual export with %s keeps cookies and says what is missing', async (_, entries) => {
  const { scenario, notes } = await read(entries);
  expect(scenario?.cookies).toBe(true);
  expect(notes).toContain(
    'Chrome removed cookies and Authorization from this file. Export with sensitive data, or give the steps a Cookie or Authorization header.',
  );
});

test('An export with credentials, or one of another browser that needs none, says nothing of them', async () => {
  const signedIn = entry('/', { headers: [{ name: 'cookie', value: 'theme=dark' }] }, { status: 401 });
  const { _initiator, _priority, ...plain } = entry('/');
  for (const entries of [[signedIn], [plain]]) {
    expect((await read(entries)).notes.join(' ')).not.toMatch(/sensitive data/);
  }
});

test.each<[string, object, string]>([
  ['fields as they were sent', post([{ name: 'q', value: 'a%20b%26c' }], form, 11), 'q=a%20b%26c'],
  ['fields decoded', post([{ name: 'q', value: 'a b&c' }], form, 9), 'q=a+b%26c'],
  ['fields decoded, spaces as %20', post([{ name: 'q', value: 'a b&c' }], form, 11), 'q=a%20b%26c'],
  ['a percent sign that was typed', post([{ name: 'q', value: '100%25' }], form, 10), 'q=100%2525'],
  ['plain fields without a length', post([{ name: 'q', value: 'a b' }], form, null), 'q=a+b'],
  [
    'JSON as a field without a name',
    post([{ name: '', value: '{"a":"b=c"}' }], 'application/json', 11),
    '{"a":"b=c"}',
  ],
  ['JSON as a name without a value', post([{ name: '{"a":1}', value: '' }], form, null), '{"a":1}'],
  [
    'SOAP, cut at its first =',
    post([{ name: '<e xmlns', value: '"u"><q/></e>' }], 'text/xml', 21),
    '<e xmlns="u"><q/></e>',
  ],
  [
    'a text that is not what was sent beside fields that are',
    post([{ name: 'q', value: 'a b' }], form, 5, { text: 'q=a%20b' }),
    'q=a+b',
  ],
])('%s: the body is sent as it was', async (_, posted, body) => {
  const { scenario, unsupported } = await read([posted]);
  expect(unsupported).toEqual([]);
  expect(scenario?.steps[0]?.body).toBe(body);
});

test.each<[string, object, string]>([
  [
    'percent signs and no length',
    post([{ name: 'q', value: 'a%20b' }], form, null),
    'without Content-Length its fields may mean two things',
  ],
  [
    'fields that fit no length',
    post([{ name: 'q', value: 'a b' }], form, 77),
    'sends a body of type application/x-www-form-urlencoded whose text was not recorded',
  ],
])('%s: the request is left out with the reason', async (_, posted, reason) => {
  const { unsupported } = await read([posted, entry('/next')]);
  expect(unsupported).toEqual([{ line: 1, reason: expect.stringContaining(reason) }]);
});

test('A secret in a body that was a field without a name is masked', async () => {
  const value = '{"password":"Kanarie-9931x"}';
  const report = await read([post([{ name: '', value }], 'application/json', value.length)]);
  expect(report.scenario?.steps[0]?.body).toBe('{"password":"${secret:password}"}');
  expect(JSON.stringify(report)).not.toContain('Kanarie');
});

test('Odd fields cost themselves and not their request', async () => {
  const headers = [
    null,
    { name: 'x-a', value: null },
    { name: 'x-b', value: 5 },
    { name: 'x-c', value: 'c' },
  ];
  const odd = entry(
    '/odd',
    { headers, postData: 'nothing', bodySize: 'unknown' },
    { status: '404', content: { mimeType: 7 } },
    { startedDateTime: 1_795_774_800_000, time: 'long', _resourceType: null },
  );
  const { scenario, unsupported, notes } = await read([odd]);
  expect(unsupported).toEqual([]);
  expect(scenario?.steps).toMatchObject([
    { path: '/odd', headers: { 'x-b': '5', 'x-c': 'c' }, expectStatus: 404 },
  ]);
  expect(notes.filter((note) => note.includes('cannot be read'))).toEqual(
    ['request.headers[0]', 'request.headers[1]', 'request.bodySize', 'request.postData', 'time'].map(
      (name) => `Entry 1 has a field ${name} that cannot be read. It is left out.`,
    ),
  );
});

const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();
test.each<[string, (text: string) => Buffer]>([
  ['UTF-16, little endian, with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, little endian', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16, big endian, with a mark', (text) => swapped(Buffer.from(`\ufeff${text}`, 'utf16le'))],
  ['UTF-16, big endian', (text) => swapped(Buffer.from(text, 'utf16le'))],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
])('A file in %s is read as a stream', async (_, encode) => {
  const bodies = ['é ☕ 💶', 'x'.repeat(200_000)];
  const entries = bodies.map((text) =>
    entry('/a', { method: 'POST', postData: { mimeType: 'text/plain', text } }),
  );
  const { scenario } = await read(entries, encode);
  expect(scenario?.steps.map(({ body }) => body)).toEqual(bodies);
});

test('A file that begins as UTF-16 and is cut within a character is refused in a sentence', async () => {
  await expect(read([entry('/')], (text) => Buffer.from(text, 'utf16le').subarray(0, -1))).rejects.toThrow(
    'The file begins as UTF-16 and has bytes that are not text.',
  );
});

const answer = (mimeType: string) => ({ content: { mimeType, text: 'x' } });
test.each<[string, object, string]>([
  ['an event stream', entry('/live', {}, answer('text/event-stream'), { time: 25_010 }), 'an event stream'],
  [
    'lines of JSON',
    entry('/log', {}, answer('application/x-ndjson'), { time: 25_010 }),
    'a stream of JSON lines',
  ],
  [
    'pictures that replace each other',
    entry('/camera', {}, answer('multipart/x-mixed-replace; boundary=f'), { time: 25_010 }),
    'a stream of pictures or parts',
  ],
  [
    'a long poll',
    entry('/socket.io/?transport=polling', {}, {}, { timings: { wait: 25_010 } }),
    'a long poll',
  ],
  ['a wait for an event', entry('/next', {}, {}, { timings: { wait: 25_010 } }), 'a long poll'],
])('%s is left out, with the time that it took', async (_, streamed, what) => {
  const { scenario, unsupported } = await read([entry('/page'), streamed]);
  expect(scenario?.steps).toHaveLength(1);
  expect(unsupported).toEqual([{ line: 2, reason: expect.stringContaining(`is ${what}`) }]);
  expect(unsupported[0]?.reason).toContain('25.0 s');
});

test('A page that takes long is still a step', async () => {
  const page = { _resourceType: 'document', timings: { wait: 25_010 } };
  expect((await read([entry('/report', {}, answer('text/html'), page)])).scenario?.steps).toHaveLength(1);
});

test('A value in the text of an earlier response is taken from there', async () => {
  const polling = '/socket.io/?EIO=4&transport=polling';
  const text = '0{"sid":"lv_VI97HAXpY6yYWAAAC","upgrades":["websocket"],"pingInterval":25000}';
  const script = '<script>window.app = { build: "77", csrf: "tok-83f1c09d22" };</script>';
  const { scenario, correlations } = await read([
    entry('/', {}, { content: { mimeType: 'text/html', text: script } }),
    entry(polling, {}, { content: { mimeType: 'text/plain; charset=UTF-8', text } }),
    entry(`${polling}&sid=lv_VI97HAXpY6yYWAAAC`),
    entry('/buy?key=tok-83f1c09d22'),
  ]);
  expect(correlations.map(({ accepted }) => accepted)).toEqual([true, true]);
  expect(scenario?.steps.map(({ path }) => path).slice(2)).toEqual([
    `${polling}&sid=\${sid}`,
    '/buy?key=${key}',
  ]);
  for (const [step, body, value] of [
    [1, text, 'lv_VI97HAXpY6yYWAAAC'],
    [0, script, 'tok-83f1c09d22'],
  ] as const) {
    const [rule] = scenario?.steps[step]?.extract ?? [];
    expect(rule?.from === 'regex' && new RegExp(rule.pattern).exec(body)?.[1]).toBe(value);
  }
});

test('A value that only a script file has, which is no step, is noted', async () => {
  const { scenario, notes } = await read([
    entry('/', {}, answer('text/html')),
    entry(
      '/config.js',
      {},
      { content: { mimeType: 'text/javascript', text: 'const ref="pub-55d1f0a9";' } },
      { _resourceType: 'script' },
    ),
    entry('/api?ref=pub-55d1f0a9'),
  ]);
  expect(scenario?.steps.at(-1)?.path).toBe('/api?ref=pub-55d1f0a9');
  expect(notes).toContain(
    'Step 2 sends a value (query ref) that GET /config.js brought, which is no step: it is sent as recorded.',
  );
});

const header = (name: string, value: string) => ({ name, value });
const sentHeaders = async (url: string, ...headers: object[]) => {
  const { scenario } = await read([
    entry('/', {}, {}, { _resourceType: 'document' }),
    entry('/', { url, method: 'POST', headers }),
  ]);
  return scenario?.steps[1]?.headers;
};

test.each([
  ['https://shop.example/order', 'https://shop.example', '${origin}'],
  ['https://shop.example:8443/order', 'https://shop.example:8443', '${origin}'],
  ['https://shop.example/order', 'https://login.example', 'https://login.example'],
  ['https://shop.example/order', 'null', 'null'],
])('A request to %s from %s sends the Origin %s', async (url, origin, sent) => {
  expect(
    await sentHeaders(url, header('Origin', origin), header('Referer', `${origin}/cart?a=1#top`)),
  ).toMatchObject({
    origin: sent,
    referer: `${sent}/cart?a=1#top`,
  });
});

test('A site at an IPv6 address and a port has its own origin too', async () => {
  const url = 'http://[::1]:8080/a';
  const origin = header('Origin', 'http://[::1]:8080');
  const { scenario } = await read([entry('/', { url, method: 'POST', headers: [origin] })]);
  expect(scenario?.steps[0]?.headers.origin).toBe('${origin}');
});

test('What servers decide by is kept, and recorded requests ask for the codings of browsers', async () => {
  const kept = [header('Sec-Fetch-Site', 'same-origin'), header('Sec-Fetch-Mode', 'cors')];
  const told = [
    header('User-Agent', 'Mozilla/5.0'),
    header('Sec-CH-UA', '"Chromium"'),
    header('Accept-Encoding', 'gzip'),
  ];
  expect(await sentHeaders('https://shop.example/a', ...kept, ...told)).toEqual({
    ...{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
    'accept-encoding': 'gzip, deflate, br, zstd',
  });
});

test('A part that was asked for stays a part', async () => {
  const headers = [header('Range', 'bytes=0-999'), header('Accept-Encoding', 'identity;q=1, *;q=0')];
  const { scenario } = await read([entry('/video', { headers }, { status: 206 })]);
  expect(scenario?.steps[0]).toMatchObject({
    headers: { range: 'bytes=0-999', 'accept-encoding': 'identity;q=1, *;q=0' },
    expectStatus: 206,
    recorded: { status: 206 },
  });
});
