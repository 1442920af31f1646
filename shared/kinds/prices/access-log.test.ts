/** Protects the traffic that a bill is computed from: nothing is read out of an access log that it does not say. */
import { expect, test } from 'vitest';
import { openAccessLog } from './access-log.ts';

/** Lines as nginx 1.22, Apache 2.4, HAProxy 2.6, and Caddy 2.6 wrote them: three connections of three requests, two of them resumed. */
const paths = [
  { path: '/', status: 200, bytes: 3 },
  { path: '/a.bin', status: 200, bytes: 5000 },
  { path: '/missing%22x', status: 404, bytes: 153 },
];
const requests = [0, 1, 2].flatMap((connection) =>
  paths.map((request, index) => ({ ...request, connection, index, at: `01:21:3${connection}` })),
);
type Sent = (typeof requests)[number];

const head = ({ path, status, bytes, at }: Sent) =>
  `127.0.0.1 - - [28/Nov/2026:${at} +0000] "GET ${path} HTTP/1.1" ${status} ${bytes}`;
const combined = (sent: Sent) => `${head(sent)} "-" "odd \\x22agent\\x22 \\x5C x"`;
const haproxy = ({ path, status, bytes, connection, at }: Sent) =>
  `127.0.0.1:5741${connection} [28/Nov/2026:${at}.000] https-in~ b/n 0/0/4/0/4 ${status} ${bytes} - - ---- 1/1/0/0/0 0/0 "GET ${path} HTTP/1.1"`;
const envoy = ({ path, status, bytes, at }: Sent) =>
  `[2026-11-28T${at}.000Z] "GET ${path} HTTP/1.1" ${status} - 0 ${bytes} 25 - "-" "curl/8.5.0" "5f7a-1" "localhost:8443" "127.0.0.1:80"`;
const istio = ({ path, status, bytes, at }: Sent) =>
  `[2026-11-28T${at}.000Z] "GET ${path} HTTP/1.1" ${status} - via_upstream - "-" 0 ${bytes} 5 4 "-" "curl/8.5.0" "5f7a-1" "shop:8000" "10.4.0.5:80" inbound|80||`;
const caddy = ({ path, status, bytes, connection, at }: Sent) =>
  JSON.stringify({
    ...{ level: 'info', ts: Date.parse(`2026-11-28T${at}Z`) / 1000, logger: 'http.log.access' },
    request: { remote_ip: '127.0.0.1', uri: path, tls: { resumed: connection > 0, version: 771 } },
    ...{ duration: 0.00009, size: bytes, status },
  });
const traefik = ({ path, status, bytes, at }: Sent) =>
  JSON.stringify({
    ...{ ClientPort: '5000', DownstreamContentSize: bytes, DownstreamStatus: status, Duration: 90_000 },
    ...{ RequestPath: path, StartUTC: `2026-11-28T${at}.000000000Z`, time: `2026-11-28T${at}Z` },
  });
const reused = ({ connection }: Sent) => (connection > 0 ? 'r' : '.');
const json = (sent: Sent) =>
  JSON.stringify({
    ...{ time_local: `28/Nov/2026:${sent.at} +0000`, status: `${sent.status}`, body_bytes_sent: sent.bytes },
    ...{ connection_requests: sent.index + 1, ssl_session_reused: reused(sent) },
  });

const found = {
  ...{ lines: 9, unreadable: 0, fromMs: Date.UTC(2026, 10, 28, 1, 21, 30) },
  ...{ toMs: Date.UTC(2026, 10, 28, 1, 21, 32), requestsPerS: 4.5, peakPerS: 4.5 },
  sizes: [
    { bytes: 78, share: 6 / 9 },
    { bytes: 5000, share: 3 / 9 },
  ],
};
const silent = { requestsPerConnection: null, returningShare: null };
const full = { requestsPerConnection: 3, returningShare: 2 / 3 };

function read(lines: readonly string[], format: string | null = null) {
  const log = openAccessLog(format);
  log.write(lines.map((line) => `${line}\n`).join(''));
  return log.end();
}

test.each([
  ['common or combined', 'combined', head, silent],
  ['common or combined', 'combined', combined, silent],
  ['common or combined', 'combined', (sent: Sent) => `shop.example:443 ${combined(sent)} "10.0.0.9"`, silent],
  [
    'common or combined',
    'combined',
    (sent: Sent) =>
      `${combined(sent)} connection_requests=${sent.index + 1} ssl_session_reused=${reused(sent)}`,
    full,
  ],
  ['HAProxy’s HTTP log', 'haproxy', haproxy, silent],
  [
    'HAProxy’s HTTP log',
    'haproxy',
    (sent: Sent) =>
      `<134>Nov 28 01:21:30 lb1 haproxy[123]: ${haproxy(sent)} ssl_session_reused=${sent.connection > 0 ? 1 : 0}`,
    { ...silent, returningShare: 2 / 3 },
  ],
  ['Envoy’s default', 'envoy', envoy, silent],
  ['Istio’s default', 'envoy', istio, silent],
  ['JSON lines', 'json', caddy, { ...silent, returningShare: 2 / 3 }],
  ['JSON lines', 'json', traefik, silent],
  ['JSON lines', 'json', json, full],
])('%s is found out, and read the same by its name', (format, name, print, known) => {
  const lines = requests.map(print);
  expect(read(lines)).toMatchObject({ ...found, ...known, format });
  expect(read(lines, name)).toEqual(read(lines));
});

const nginxFormat =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $connection $connection_requests $ssl_session_reused';
const apacheFormat =
  '%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\" %k %{SSL_SESSION_RESUMED}x';

test('a format string of nginx, Apache, or Envoy says where everything is', () => {
  const ofNginx = requests.map(
    (sent) => `${combined(sent)} ${sent.connection + 7} ${sent.index + 1} ${reused(sent)}`,
  );
  expect(read(ofNginx, nginxFormat)).toMatchObject({ ...found, ...full, lacks: [] });
  const ofApache = requests.map(
    (sent) =>
      `${head(sent)} "-" "odd \\"agent\\" \\\\" ${sent.index} ${sent.connection > 0 ? 'Resumed' : 'Initial'}`,
  );
  expect(read(ofApache, apacheFormat)).toMatchObject({ ...found, ...full, lacks: [] });
  const ofEnvoy = requests.map(
    ({ at, status, bytes, connection }) =>
      `[2026-11-28T${at}.000Z] ${status} ${bytes} C${connection} ${connection}`,
  );
  const format = '[%START_TIME%] %RESPONSE_CODE% %BYTES_SENT% %REQ(X-A?:PATH):9% %CONNECTION_ID%';
  expect(read(ofEnvoy, format)).toMatchObject({
    ...found,
    ...silent,
    requestsPerConnection: expect.closeTo(3, 2),
  });
});

test.each([
  ['', /The log’s format is combined, json/],
  ['squid', /The log’s format is/],
  ['$remote_addr $http_user_agent', /has the time, the status, or the size/],
  ['$connection $request', /has the time, the status, or the size/],
  ['$status$body_bytes_sent', /two values with nothing in between/],
  [`$status ${'x'.repeat(5000)}`, /The log’s format is/],
])('the format %j is refused', (format, sentence) => {
  expect(() => openAccessLog(format)).toThrow(sentence);
});

test('the same is read from chunks that are cut anywhere, with either end of a line', () => {
  for (const end of ['\n', '\r\n']) {
    const text = requests.map((sent) => combined(sent) + end).join('');
    for (let at = 0; at <= text.length; at += 1) {
      const log = openAccessLog();
      log.write(text.slice(0, at));
      log.write(text.slice(at));
      expect(log.end()).toEqual(read(requests.map(combined)));
    }
    const log = openAccessLog();
    for (const letter of text.trimEnd()) log.write(letter);
    expect(log.end()).toMatchObject(found);
  }
});

test('one unreadable line in three is counted; more than half of them is no log', () => {
  const lines = requests.flatMap((sent, index) => [combined(sent), ...(index % 2 === 0 ? ['nonsense'] : [])]);
  expect(read(lines)).toMatchObject({ ...found, lines: 14, unreadable: 5 });
  expect(() =>
    read([...lines, ...Array<string>(5).fill('{"msg":"server running","ts":1795828894}')]),
  ).toThrow('10 of 19 lines cannot be read as an access log.');
  expect(() => read(requests.map(combined), 'haproxy')).toThrow(
    '9 of 9 lines cannot be read as HAProxy’s HTTP log.',
  );
  expect(() => read(['', ' '])).toThrow('The log has no lines.');
});

test('the format is found out behind many lines that are none', () => {
  const lines = [
    ...Array<string>(3000).fill('starting up'),
    ...Array.from({ length: 900 }, () => requests.map(haproxy)).flat(),
  ];
  expect(read(lines)).toMatchObject({ format: 'HAProxy’s HTTP log', lines: 11_100, unreadable: 3000 });
});

test('a line longer than 64 kB is unreadable, and the next one is not', () => {
  const long = combined({ ...requests[0], path: `/${'x'.repeat(65_536)}` } as Sent);
  for (const pieces of [
    [`${long}\n`],
    [long.slice(0, 9), long.slice(9), '\n'],
    long.match(/.{1,1000}/g) ?? [],
  ]) {
    const log = openAccessLog();
    for (const piece of [...pieces, ...requests.map((sent) => `\n${combined(sent)}`)]) log.write(piece);
    expect(log.end()).toMatchObject({ ...found, lines: 10, unreadable: 1 });
  }
});

test('what a client writes does not shift the values, or pass for them', () => {
  const [first] = requests;
  const agents = ['ssl_session_reused=r', '\\" 200 999999 \\"', '$status', '] "GET / HTTP/1.1" 200 7 '];
  const lines = agents.map((agent) => `${head(first as Sent)} "-" "${agent}"`);
  expect(read(lines)).toMatchObject({ unreadable: 0, sizes: [{ bytes: 3, share: 1 }], returningShare: null });
});

test('the rate of the busiest minute stands beside the mean, also where lines are out of order', () => {
  const minute = (index: number, count: number) =>
    Array<string>(count).fill(`a - - [28/Nov/2026:01:${20 + index}:00 +0000] "GET / HTTP/1.1" 200 1`);
  const lines = [...minute(0, 60), ...minute(1, 300), ...minute(0, 30), ...minute(1, 300), ...minute(10, 10)];
  expect(read(lines)).toMatchObject({ requestsPerS: 700 / 600, peakPerS: 10 });
});

test('connections are told apart by their number alone, in any quantity', () => {
  for (const connections of [1, 200, 20_000, 100_000]) {
    const log = openAccessLog('$connection $status $ssl_session_reused');
    for (let id = 1; id <= connections; id += 1) {
      log.write(`${id} 200 ${id % 4 === 0 ? '.' : 'r'}\n`.repeat(id % 4 === 0 ? 6 : 2));
    }
    const { requestsPerConnection, returningShare, lacks } = log.end();
    const of = (share: number) => [share * 0.97, share * 1.03] as const;
    const [low, high] = of(connections === 1 ? 2 : 3);
    expect(requestsPerConnection).toBeGreaterThan(low);
    expect(requestsPerConnection).toBeLessThan(high);
    if (connections > 1) expect(returningShare).toBeCloseTo(0.75, 1);
    expect(lacks).toEqual([
      'Requests per second: add time=$time_iso8601 to log_format of nginx.',
      'Response sizes: add size=$body_bytes_sent to log_format of nginx.',
    ]);
  }
});

test('Apache’s count of requests is not used over HTTP/2, where it is 1 for each', () => {
  const format = '"%r" %s %k';
  const lines = (version: string, kept: (index: number) => number) =>
    Array.from({ length: 40 }, (_, index) => `"GET / ${version}" 200 ${kept(index)}`);
  const [first, second] = [lines('HTTP/1.1', (index) => index % 4), lines('HTTP/2.0', () => 1)];
  expect(read(first, format).requestsPerConnection).toBe(4);
  expect(read([...first, ...second.slice(0, 4)], format).requestsPerConnection).toBe(4);
  for (const log of [second, [...first, ...second]]) {
    const { requestsPerConnection, lacks } = read(log, format);
    expect(requestsPerConnection).toBeNull();
    expect(lacks.at(-2)).toBe(
      'Requests per connection: add keepalive_requests=%k to LogFormat of Apache, which counts over HTTP/1.1 only.',
    );
  }
});

test('each thing that a log lacks is asked for with the directive that adds it', () => {
  expect(read(requests.map(haproxy)).lacks).toEqual([
    'Requests per connection: add connection_requests=%[var(sess.requests)] to log-format of HAProxy, and the line http-request set-var(sess.requests) var(sess.requests,0),add(1) to its frontend.',
    'Returning visitors: add ssl_session_reused=%[ssl_fc_is_resumed] to log-format of HAProxy.',
  ]);
  expect(read(requests.map(head)).lacks.join('\n')).toMatch(
    /\$connection_requests.*%k.*\n.*\$ssl_session_reused/,
  );
  const together = requests.map((sent) => head({ ...sent, at: '01:21:30' }));
  expect(read(together)).toMatchObject({ requestsPerS: null, peakPerS: null });
  expect(read(together).lacks[0]).toBe(
    'Requests per second: all lines have the same time. Choose a longer log.',
  );
});

test.each([
  ['1795828894', 1_795_828_894_000],
  ['1795828894.123', 1_795_828_894_123],
  ['1795828894123', 1_795_828_894_123],
  ['1795828894123456', 1_795_828_894_123],
  ['1795828894123456789', 1_795_828_894_123],
  ['2026-11-28T01:21:34Z', 1_795_828_894_000],
  ['2026-11-28T02:21:34.5+01:00', 1_795_828_894_500],
  ['2026-11-28 01:21:34', 1_795_828_894_000],
  ['27/Nov/2026:20:21:34 -0500', 1_795_828_894_000],
])('the time %s is understood', (time, unixMs) => {
  expect(read([JSON.stringify({ time, size: 1 })]).fromMs).toBe(unixMs);
});

test('lines that are made to take long are read before anybody would wait', () => {
  const begun = performance.now();
  const pieces = [
    '[',
    '" ',
    '\\',
    '\\" ',
    '{"a":',
    '<1',
    'a=b ',
    ' [28/Nov/2026:01:21:34 +0000] "',
    '%{',
    '$status ',
  ];
  const log = openAccessLog();
  for (const piece of pieces) log.write(`${piece.repeat(65_000 / piece.length)}\n`.repeat(20));
  expect(log.traffic()).toMatchObject({ lines: 200, unreadable: 200 });
  for (const piece of pieces) expect(() => openAccessLog(piece.repeat(2500))).toThrow(/format/);
  expect(performance.now() - begun).toBeLessThan(5000);
});
