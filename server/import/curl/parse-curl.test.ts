/** Protects the import of curl commands, as Chrome copies them and as people write them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/problem.ts';
import { escapeTemplate } from '../../scenario/template.ts';
import { requestsToScenario } from '../draft-request.ts';
import { curlOptions } from './options/curl-options.ts';
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
  const { scenario, secrets } = requestsToScenario(requests, { name: 'Log in' });
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
    url: 'https://shop.example',
    path: '/login?a=1&b=2',
    body: '{"user":"ada","pct":"5%"}',
  });
});

test.each([
  ['curl -I shop.example', { method: 'HEAD', url: 'http://shop.example', path: '/' }],
  [
    'curl -G -d a=1 --data-urlencode "q=x y&z" http://s/find',
    { method: 'GET', url: 'http://s', path: '/find?a=1&q=x+y%26z', body: null },
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
  const { scenario } = requestsToScenario(parseCurl('curl -u ada:pw http://s/').requests, { name: 'x' });
  expect(scenario?.steps[0]?.headers.authorization).toBe('Basic ${secret:authorization}');
});

test('A command that cannot be imported is listed with its line, and the others are kept', () => {
  const { requests, unsupported } = parseCurl(
    '# upload\ncurl -F file=@a.png http://s/up\n\ncurl --data @body.json --frob http://s/b\ncurl -X BREW http://s/c\ncurl http://s/d',
  );
  expect(unsupported).toEqual([
    { line: 2, reason: '-F uploads a file, which is not imported.' },
    { line: 4, reason: '--data reads a file, which is not imported. Insert its text instead.' },
    {
      line: 4,
      reason: expect.stringMatching(/^curl 8\S+ has no option --frob\.$/),
    },
    { line: 5, reason: 'The method BREW is not supported.' },
  ]);
  expect(requests.map(({ line }) => line)).toEqual([6]);
});

test.each([
  ['--proxy localhost:3128', '-x sends the request through a proxy'.replace('-x', '--proxy')],
  ['--digest -u ada:pw', '--digest signs in with more than one request'],
  ['-u ada', '-u has no password, which curl asks for'],
  ['-n', '-n reads a file'],
  ['-K settings.txt', '-K reads a file'],
  ['-T photo.jpg', '-T reads a file'],
  ['-H @headers.txt', '-H reads a file'],
  ['-b jar.txt', '-b reads a file'],
  ['--expand-url x', '--expand-url uses variables of curl'],
  ['-0', '-0 changes how the message is framed'],
  ['--dta x', 'Did you mean --data?'],
  ['--data=x', '--data has its value after an ='],
  ['-X get', 'The method get is not supported. curl sends it as it is written: use -X GET.'],
  ['-H Accept:', '-H removes accept, which a run sends with every such request.'],
  ["-A ''", '-A removes User-Agent, which a run sends with every request.'],
  ['-H "Host: other.example"', 'The header Host differs from the host in the address'],
  ['-H "Transfer-Encoding: chunked" -d x', 'The header Transfer-Encoding changes how the message is framed'],
  ['-H "Content-Length: 3" -d x', 'The header Content-Length is not the length of the body'],
  ['-H "Bad Name: x"', 'A header has a name that HTTP does not allow'],
  ["-H $'X-A: b\\r\\nX-C: d'", 'The header X-A has control characters or line ends'],
  ['-d "$BODY"', 'The value of -d uses $BODY, whose value is not in the text'],
  ['-d "$(cat body.json)"', 'The value of -d uses $(…), whose output is not in the text'],
  ['$OPTIONS', 'A word uses $OPTIONS, whose value is not in the text'],
  ['-o $FILE', 'The value of -o uses $FILE'],
  ['-d {"a":1,"b":2}', 'The value of -d has {…} outside quotes'],
  ["-d $'\\xff'", 'The value of -d holds bytes that are not UTF-8 text'],
  ["-d $'a\\0b'", 'The value of -d holds a NUL'],
  ['-d @-', '-d reads standard input'],
  ["-d '' -d x", '-d follows data that is empty'],
  ['-F a=1 -d b=2', '-F cannot be combined with -d'],
  ['-d', '-d has no value.'],
  ['http://s/ä', 'The address has ä, which curl sends as it is'],
  ["'http://s/a b'", 'The address has a space'],
  ["'http://s/x[9-1]'", 'The address has a [ that curl cannot read'],
  ["'http://s/[1-99999999]'", 'The address expands to more than 10000 addresses.'],
  ['ftp://s/x', 'The address is not an HTTP or HTTPS address.'],
  ['ftp.s/x', 'The address has a host whose name stands for another protocol'],
  ['http://s/%2e%2e/x', 'The address has %2e in its path'],
  ['http://s/?a=1&b=2', 'The address has an & outside quotes'],
])('%s is refused by name', (words, reason) => {
  const { requests, unsupported } = parseCurl(`curl http://s/ ${words}`);
  expect(requests).toEqual([]);
  expect(unsupported[0]?.reason).toContain(reason);
});

test.each([
  ['for n in 1 2; do\n  curl http://s/\ndone', 'is inside “for”'],
  ['if [ -n "$X" ]; then curl http://s/; fi', 'is inside “if”'],
  ['login() { curl http://s/; }', 'is inside “{”'],
  ['(curl http://s/)', 'is inside “(”'],
  ['curl http://s/ok || curl http://s/', 'runs only when the command before it fails'],
  ["echo '{}' | curl -d @- http://s/", '-d reads the output of another command'],
  ['https_proxy=http://p curl http://s/', 'The command sets a proxy'],
  [
    'TOKEN=$(curl http://s/token)\ncurl -H "X-T: $TOKEN" http://s/',
    'A variable is set to the output of a command',
  ],
])('%s is refused, because an import runs nothing', (text, reason) => {
  const { requests, unsupported } = parseCurl(text);
  expect(requests.filter(({ path }) => path !== '/ok')).toEqual([]);
  expect(unsupported.map(({ reason }) => reason).join(' ')).toContain(reason);
});

test('The value of an option never becomes the address, whichever option it is', () => {
  for (const { name, letter, takesValue } of curlOptions.filter(({ takesValue }) => takesValue)) {
    for (const written of [`--${name}`, ...(letter === null ? [] : [`-${letter}`])]) {
      const { requests } = parseCurl(`curl ${written} value http://s/`);
      expect(
        requests.every(({ url }) => url === 'http://s' || name === 'url'),
        written,
      ).toBe(takesValue);
    }
  }
});

test('The table of options names each once, with a letter of its own', () => {
  // From curl 8.10 on, --include is called --show-headers.
  const renamed = curlOptions.filter(({ name }) => name !== 'include');
  const letters = renamed.flatMap(({ letter }) => letter ?? []);
  expect(new Set(curlOptions.map(({ name }) => name)).size).toBe(curlOptions.length);
  expect(new Set(letters).size).toBe(letters.length);
});

test('A refusal repeats no password and no value of a variable', () => {
  const { unsupported } = parseCurl(
    'PASSWORD=hunter2 mysql -phunter2\ncurl --frob=hunter2 http://ada:hunter2@s/ä\n"hunter2 x" y\ncurl http://s/',
  );
  expect(unsupported.length).toBeGreaterThan(2);
  expect(JSON.stringify(unsupported)).not.toContain('hunter2');
});

test('A connection header that a run sets itself is left out and listed with its line', () => {
  const { requests, unsupported } = parseCurl("curl -H 'TE: trailers' -H 'Connection: close' http://s/");
  expect(requests[0]?.headers).toEqual([]);
  expect(unsupported.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('The header TE is left out'),
    expect.stringContaining('The header Connection is left out'),
  ]);
});

test('A cookie file that the commands write and read becomes the jar of the scenario', () => {
  const { keepsCookies, requests } = parseCurl(
    'curl -c j http://s/login -d a=1\ncurl -b j http://s/me\ncurl -b j -c j http://s/out',
  );
  expect(keepsCookies).toBe(true);
  expect(requests).toHaveLength(3);
  expect(requests.flatMap(({ headers }) => headers.map(([name]) => name))).not.toContain('cookie');
});

test.each([
  ['curl -c j http://s/login\ncurl -b j http://s/me\ncurl http://s/out', 3, 'It does not send the cookies'],
  ['curl -b other http://s/me', 1, '-b reads a file'],
  ['curl -c j http://s/login\ncurl -b k -c k http://s/me', 2, 'in a different file than earlier commands'],
  ['curl -c j -T x http://s/login\ncurl -b j http://s/me', 2, 'an earlier command that was left out'],
])('%s: the scenario has no jar for it', (text, line, reason) => {
  const { unsupported } = parseCurl(text);
  expect(unsupported).toContainEqual({ line, reason: expect.stringContaining(reason) });
});

test('Variables that double one another end in a sentence', () => {
  const doubling = Array.from({ length: 60 }, (_, index) => `a${index + 1}="$a${index}$a${index}"`);
  const text = ['a0=x', ...doubling, 'curl -d "$a60" http://s/'].join('\n');
  expect(() => parseCurl(text)).toThrow('The variables in this text expand to more than 4 MiB.');
});

test.each([
  'sudo curl http://s/a',
  '/usr/bin/curl http://s/a',
  'env A=b curl http://s/a',
  'time command "CURL.EXE" http://s/a',
])('%s runs curl', (text) => {
  expect(parseCurl(text).requests).toMatchObject([{ url: 'http://s', path: '/a' }]);
});

test('Following redirects is not needed', () => {
  const { requests, unsupported } = parseCurl('curl -L http://s/');
  expect(requests).toHaveLength(1);
  expect(unsupported[0]?.reason).toContain('each redirect');
});

test('Several commands are several steps of one scenario', () => {
  const { scenario } = requestsToScenario(parseCurl('curl http://s/a; curl http://s/b').requests, {
    name: 'x',
  });
  expect(scenario?.steps.map(({ path }) => path)).toEqual(['/a', '/b']);
});

test('Pipes, redirections, and commands other than curl are left out', () => {
  const { requests, unsupported } = parseCurl(
    "curl -s 'http://s/a' 2>/dev/null | jq .\ncurl 'http://s/b?c=1&d=2' > out.json && rm -rf /",
  );
  expect(requests.map(({ path }) => path)).toEqual(['/a', '/b?c=1&d=2']);
  expect(unsupported).toEqual([
    { line: 1, reason: '“jq” is not curl and was skipped.' },
    { line: 2, reason: '“rm” is not curl and was skipped.' },
  ]);
});

test.each([
  '',
  'wget http://s/',
  "curl 'http://s/",

  'curl $(',
  'curl <<END\nx',
])('%s is refused in a sentence', (text) => {
  expect(() => parseCurl(text)).toThrow(ProblemError);
});

test('Any body survives the quoting of bash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (body) => {
      // Line ends of Windows are read as those of a file.
      fc.pre(!body.includes('\r\n'));
      const quoted = `'${body.replaceAll("'", "'\\''")}'`;
      expect(parseCurl(`curl http://s/ --data-raw ${quoted}`).requests[0]?.body).toBe(escapeTemplate(body));
    }),
  );
});

test.each([
  ['quotes that are never closed', "curl http://s/ '"],
  ['brackets that are never closed', `curl ${'$('.repeat(100_000)}`],
  ['backslashes', `curl ${'\\'.repeat(1_000_000)}`],
  ['one-letter words', 'a '.repeat(500_000)],
  ['unknown options', 'curl --xyz http://s/\n'.repeat(100_000)],
  ['globs', "curl 'http://s/[1-9999]'\n".repeat(100_000)],
  ['commands', 'curl http://s/\n'.repeat(100_000)],
  ['double quotes', `curl ${'"'.repeat(1_000_001)}`],
  ['carets', `curl ^"${'^'.repeat(1_000_000)}`],
  ['prompts', '$ > % '.repeat(200_000)],
  ['unknown variables', `curl http://s/?${'$a'.repeat(500_000)}`],
  ['redirections for cmd', `curl ^"http://s/^" ${'> a '.repeat(250_000)}`],
  ['one variable', `a=${'x'.repeat(500_000)}\ncurl -d "${'$a'.repeat(250_000)}" http://s/`],
])('A megabyte of %s ends in a report or a sentence', (_, text) => {
  try {
    const { unsupported } = parseCurl(text);
    expect(unsupported.length).toBeLessThanOrEqual(1001);
    expect(unsupported.every(({ reason }) => reason.length < 1000)).toBe(true);
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
  }
});
