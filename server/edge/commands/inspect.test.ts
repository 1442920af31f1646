/** Protects the arguments of an inspection, and the comparison that it proposes. */
import { expect, test } from 'vitest';
import { compareArguments, here, knownPrograms, readLine } from '../../method/tool-line.ts';
import { judgeTool, type ToolCounts } from '../../method/tool-verdict.ts';
import { parseComparison } from './compare.ts';
import { parseInspection } from './inspect.ts';
import { printInspection } from './print-inspection.ts';

const kept: ToolCounts = {
  ...{ seconds: 5, connections: 17, openAtOnce: 16, resumed: 0, failedHandshakes: [], askedToClose: 0 },
  ...{ agreed: [{ protocol: 'TLSv1.3', suite: 'TLS_AES_256_GCM_SHA384', connections: 16 }] },
  ...{
    groups: ['X25519'],
    requests: 50_000,
    http10Requests: 0,
    http2Requests: 0,
    requestsPerConnection: 3100,
  },
  pace: { atOnce: 14_000, heldBack: 700, delayMs: 20 },
  cores: { tool: 0.9, busiestThread: 0.95, listener: 0.7 },
};
const each: ToolCounts = { ...kept, connections: 2000, requests: 2000, requestsPerConnection: 1, pace: null };

test.each([
  [
    ['wrk', '-t2', 'https://shop.test/a'],
    ['wrk', '-t2', `${here}/a`],
  ],
  [
    ['h2load', 'https://shop.test/a', 'https://shop.test/b?c'],
    ['h2load', `${here}/a`, `${here}/b?c`],
  ],
  [
    ['tool', '--url=http://shop.test'],
    ['tool', `--url=${here}`],
  ],
  [
    [
      'curl',
      '-e',
      'http://from.test/',
      '--proxy=http://proxy.test',
      '-d',
      'http://body.test',
      'http://shop.test/',
    ],
    ['curl', '-e', 'http://from.test/', '--proxy=http://proxy.test', '-d', 'http://body.test', `${here}/`],
  ],
  [
    ['wrk', '-H', 'https://a.test', 'https://b.test'],
    ['wrk', '-H', 'https://a.test', here],
  ],
  [
    ['k6', 'run', 'script.js'],
    ['k6', 'run', 'script.js'],
  ],
])('the origin of the target is replaced in %j, and no other', (command, words) => {
  expect(readLine(command).words).toEqual(words);
});

test('URLs of two servers are refused', () => {
  const two = ['h2load', 'https://a.test', 'https://b.test'];
  expect(() => readLine(two)).toThrow(/URLs of https:\/\/a\.test and https:\/\/b\.test/);
});

const url = 'https://shop.test/';
test.each([
  `wrk -t2 -c64 -d5s --latency --timeout=2s -H Host:x ${url}`,
  `ab -kqn 100 -c4 -Z ECDHE-ECDSA-AES128-SHA -f TLS1.2 ${url}`,
  `h2load -n100 --clients=4 --ciphers ECDHE-RSA-AES128-SHA --h1 ${url} ${url}b`,
  `hey -n 100 --c=4 -disable-keepalive -h2 ${url}`,
  `oha -n 100 -c4 --no-tui --insecure ${url}`,
  `/usr/bin/bombardier -lk -c 4 --requests=100 -p r ${url}`,
])('nothing is in doubt of %s', (line) => {
  expect(readLine(line.split(' ')).doubt).toBeNull();
});

test.each([
  ['wrk -s load.lua', '-s'],
  ['wrk -c4 -sload.lua', '-sload.lua'],
  ['wrk --script=load.lua', '--script'],
  // An abbreviation of --script.
  ['wrk --scr load.lua', '--scr'],
  ['ab -X 10.0.0.1:80', '-X'],
  ['ab -kX10.0.0.1:80', '-kX10'],
  ['ab -P a:b', '-P'],
  ['ab -B 10.0.0.1', '-B'],
  ['h2load -i targets.txt', '-i'],
  ['h2load -B unix:/tmp/x', '-B'],
  ['h2load --connect-to=10.0.0.1', '--connect-to'],
  ['h2load --timing-script-file=t', '--timing'],
  ['hey -x http://10.0.0.1:80', '-x'],
  ['hey --x=10.0.0.1:80', '--x'],
  ['hey -n1 -more', '-n1'],
  ['oha --rand-regex-url', '--rand'],
  ['oha --urls-from-file', '--urls'],
  ['oha --connect-to a:1:b:2', '--connect-to'],
  ['oha --unix-socket /tmp/x', '--unix'],
  ['bombardier @more', '@more'],
  ['bombardier -b @more', '@more'],
  ['bombardier -o path:/tmp/x', '-o'],
  ['wrk 10.0.0.1', '10.0.0.1'],
  ['wrk --', '--'],
  ['wrk -', '-'],
  ['sh -c wrk', 'options of sh'],
  ['wrk2 -c4', 'options of wrk2'],
  ['constructor', 'options of constructor'],
])('%s is in doubt', (line, word) => {
  expect(readLine([...line.split(' '), url]).doubt).toContain(word);
});

test('a known program without a URL, or without the value of its last option, is in doubt', () => {
  for (const name of knownPrograms) {
    expect(readLine([name]).doubt).toContain('contains no URL');
    expect(readLine([name, url, '-c']).doubt).toContain('-c');
  }
});

test('what follows -- belongs to the tool', () => {
  expect(parseInspection(['--limit', '9', '--', 'ab', '--json', '-n', '1'])).toEqual({
    ...{ command: ['ab', '--json', '-n', '1'], limitMs: 9000, json: false },
  });
  expect(() => parseInspection(['--limit', '0', '--', 'ab'])).toThrow(/--limit takes seconds/);
  expect(() => parseInspection([])).toThrow(/command/);
});

test.each([
  ['its connections are kept open', kept, { loop: 'closed', limit: 'tool', newConnectionShare: 17 / 50_000 }],
  ['each request opens one', each, { loop: 'unknown', newConnectionShare: 1, resumedShare: 0 }],
  [
    'it has a rate of its own',
    {
      ...kept,
      pace: { atOnce: 200, heldBack: 196, delayMs: 20 },
      cores: { tool: 0.1, busiestThread: 0.1, listener: 0.9 },
    },
    { loop: 'open', limit: 'listener' },
  ],
])('it is judged where %s', (_, counts, verdict) => {
  expect(judgeTool(counts, true)).toMatchObject(verdict);
});

test.each([
  [1, /it ended too soon to tell/],
  [9, /it sends in bursts/],
])('after %d s, a pace that is not known has its reason', (seconds, reason) => {
  const counts = { ...kept, seconds, pace: null, ended: 'exit code 0', alone: true };
  const verdict = judgeTool(counts, true);
  expect(printInspection({ counts, verdict, tool: 'tool', target: null })).toMatch(reason);
});

test.each([
  ['https://shop.test:8443/a', kept, '--https https://shop.test:8443 --path /a --users 16'],
  [
    'https://127.0.0.1:9443/',
    { ...each, resumed: 16 },
    '--http http://HOST:PORT --https https://127.0.0.1:9443 --path / --users 16 --connection-policy connection-per-request --group X25519 --resumption tickets',
  ],
  [
    'https://127.0.0.1:443/',
    {
      ...kept,
      agreed: [{ protocol: 'TLSv1.2', suite: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', connections: 16 }],
    },
    '--https https://127.0.0.1 --path / --users 16 --tls 1.2 --cipher TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  ],
  [
    'http://127.0.0.1:8080/',
    { ...kept, agreed: [], http2Requests: 50_000, pace: { atOnce: 200.4, heldBack: 196, delayMs: 20 } },
    '--http http://127.0.0.1:8080 --path / --baseline h2c --comparison h2 --users 16 --rate 200',
  ],
])('the comparison for %s asks the same, and is one', (url, counts, line) => {
  const verdict = judgeTool(counts, url.startsWith('https:'));
  const args = compareArguments({ counts, verdict, target: new URL(url) });
  expect(args.join(' ')).toBe(line);
  expect(() =>
    parseComparison(args.map((word) => word.replace('HOST:PORT', '127.0.0.1:9080'))),
  ).not.toThrow();
});
