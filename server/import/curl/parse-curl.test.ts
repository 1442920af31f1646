/** Protects the import of curl commands, as Chrome copies them and as people write them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/problem.ts';
import { requestsToScenario } from '../draft-request.ts';
import { parseCurl } from './parse-curl.ts';

const bash = `curl 'https://shop.example/login?next=%2F' \\
  -H 'accept: text/html' \\
  -H 'content-type: application/x-www-form-urlencoded' \\
  -b 'sid=abc123; theme=dark' \\
  -H 'user-agent: Mozilla/5.0' \\
  --data-raw $'user=ada&password=it\\'s \\u0021secret' \\
  --compressed`;

const cmd = `curl ^"https://shop.example/login?a=1^&b=2^" ^
  -H ^"content-type: application/json^" ^
  --data-raw ^"^{^\\^"user^\\^":^\\^"ada^\\^",^\\^"pct^\\^":^\\^"5^%^\\^"^}^" ^
  --compressed`;

test('What Chrome copies for bash becomes a step, its cookies and password secrets', () => {
  const { requests, unsupported } = parseCurl(bash);
  expect(unsupported).toEqual([]);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ method: 'POST', body: "user=ada&password=it's !secret" });
  const { scenario, secrets } = requestsToScenario(requests, 'Log in');
  expect(scenario?.steps[0]).toMatchObject({
    method: 'POST',
    path: '/login?next=%2F',
    headers: {
      cookie: 'sid=${secret:cookie_sid}; theme=${secret:cookie_theme}',
      'user-agent': 'Mozilla/5.0',
    },
    body: 'user=ada&password=${secret:password}',
  });
  expect(secrets.map(({ name }) => name)).toEqual(['cookie_sid', 'cookie_theme', 'password']);
});

test('What Chrome copies for cmd is the same request', () => {
  const { requests } = parseCurl(cmd);
  expect(requests[0]).toMatchObject({
    url: 'https://shop.example/login?a=1&b=2',
    body: '{"user":"ada","pct":"5%"}',
  });
});

test.each([
  ['curl -I shop.example', { method: 'HEAD', url: 'http://shop.example' }],
  [
    'curl -G -d a=1 --data-urlencode "q=x y&z" http://s/find',
    { method: 'GET', url: 'http://s/find?a=1&q=x%20y%26z', body: null },
  ],
  ['curl -XDELETE http://s/a', { method: 'DELETE' }],
  [
    'curl --json \'{"a":1}\' http://s/',
    {
      method: 'POST',
      body: '{"a":1}',
      headers: [
        ['content-type', 'application/json'],
        ['accept', 'application/json'],
      ],
    },
  ],
  ['curl -sSkd a -d b http://s/', { method: 'POST', body: 'a&b' }],
  ['curl -u ada:pw http://s/', { headers: [['authorization', 'Basic YWRhOnB3']] }],
  [
    'curl -A me -e http://r/ http://s/',
    {
      headers: [
        ['user-agent', 'me'],
        ['referer', 'http://r/'],
      ],
    },
  ],
])('%s is understood', (line, expected) => {
  const { requests, unsupported } = parseCurl(line);
  expect(unsupported).toEqual([]);
  expect(requests[0]).toMatchObject(expected);
});

test('The user and password of -u are a secret', () => {
  const { scenario } = requestsToScenario(parseCurl('curl -u ada:pw http://s/').requests, 'x');
  expect(scenario?.steps[0]?.headers.authorization).toBe('Basic ${secret:authorization}');
});

test('What cannot be kept is named with its line, and the other commands stand', () => {
  const { requests, unsupported } = parseCurl(
    '# upload\ncurl -F file=@a.png http://s/up\n\ncurl -L --data @body.json --frob http://s/b\ncurl -X BREW http://s/c\ncurl http://s/d',
  );
  expect(unsupported.map(({ line, reason }) => [line, reason.slice(0, 30)])).toEqual([
    [2, '-F sends a multipart form, whi'],
    [4, '-d reads a file, which is not '],
    [4, 'The option --frob is not suppo'],
    [5, 'The method BREW is not support'],
  ]);
  expect(requests.map(({ line }) => line)).toEqual([6]);
});

test('Following redirects is not needed', () => {
  const { requests, unsupported } = parseCurl('curl -L http://s/');
  expect(requests).toHaveLength(1);
  expect(unsupported[0]?.reason).toContain('each redirect');
});

test('Several commands are several steps of one scenario', () => {
  const { scenario } = requestsToScenario(parseCurl('curl http://s/a; curl http://s/b').requests, 'x');
  expect(scenario?.steps.map(({ path }) => path)).toEqual(['/a', '/b']);
});

test('A pipe and what is no curl command are left out with their lines, and so is where the output goes', () => {
  const { requests, unsupported } = parseCurl(
    "curl -s 'http://s/a' 2>/dev/null | jq .\ncurl http://s/b?c=1&d=2 > out.json && rm -rf /",
  );
  expect(requests.map(({ url }) => url)).toEqual(['http://s/a', 'http://s/b?c=1&d=2']);
  expect(unsupported).toEqual([
    { line: 1, reason: '“jq” is not curl and was skipped.' },
    { line: 2, reason: '“rm” is not curl and was skipped.' },
  ]);
});

test.each(['', 'wget http://s/', "curl 'http://s/"])('%s is refused in a sentence', (text) => {
  expect(() => parseCurl(text)).toThrow(ProblemError);
});

test('Any body survives the quoting of bash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (body) => {
      fc.pre(!body.includes('\r'));
      const quoted = `'${body.replaceAll("'", "'\\''")}'`;
      expect(parseCurl(`curl http://s/ --data-raw ${quoted}`).requests[0]?.body).toBe(body);
    }),
  );
});
