/** Protects the arguments of an inspection, and the comparison that it proposes. */
import { expect, test } from 'vitest';
import { compareArguments } from '../../method/tool/compare-line.ts';
import { judgeTool, type ToolCounts } from '../../method/tool/judge-tool.ts';
import { parseComparison } from './compare.ts';
import { parseInspection, takeUrl } from './inspect.ts';
import { printInspection } from './print-inspection.ts';

const kept: ToolCounts = {
  ...{ seconds: 5, connections: 17, openAtOnce: 16, resumed: 0, failedHandshakes: 0, askedToClose: 0 },
  ...{ agreed: [{ protocol: 'TLSv1.3', suite: 'TLS_AES_256_GCM_SHA384', connections: 16 }] },
  ...{ groups: ['X25519'], requests: 50_000, http2Requests: 0, requestsPerConnection: 3100 },
  pace: { atOnce: 14_000, heldBack: 700, delayMs: 20 },
  cores: { tool: 0.9, busiestThread: 0.95, listener: 0.7 },
};
const each: ToolCounts = { ...kept, connections: 2000, requests: 2000, requestsPerConnection: 1, pace: null };

test('the one URL of a command is replaced, whether it stands alone or after an option', () => {
  expect(takeUrl(['wrk', '-t2', 'https://shop.test/a'])).toMatchObject({
    target: { host: 'shop.test' },
    marked: ['wrk', '-t2', '{url}'],
  });
  expect(takeUrl(['tool', '--url=http://shop.test']).marked).toEqual(['tool', '--url={url}']);
  expect(takeUrl(['k6', 'run', 'script.js'])).toEqual({ target: null, marked: ['k6', 'run', 'script.js'] });
  expect(() => takeUrl(['h2load', 'https://a.test', 'https://b.test'])).toThrow(/several URLs/);
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
    'http://127.0.0.1:8080/',
    { ...kept, http2Requests: 50_000, pace: { atOnce: 200.4, heldBack: 196, delayMs: 20 } },
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
