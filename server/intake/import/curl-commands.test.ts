/** Protects the import of curl commands, as Chrome copies them and as people write them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProblemError } from '../../../shared/base/problem.ts';
import { escapeTemplate } from '../scenario/template.ts';
import { parseCurl } from './curl-commands.ts';
import { curlOptions } from './curl-options.ts';
import { requestsToScenario } from './draft-request.ts';

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
  ['curl -sSd a -d b http://s/', { method: 'POST', body: 'a&b' }],
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
    '# upload\ncurl -F file=@a.png http://s/up\n\ncurl --data @body.json http://s/b\ncurl --frob http://s/b\ncurl -X BREW http://s/c\ncurl http://s/d',
  );
  expect(unsupported).toEqual([
    { line: 2, reason: '-F uploads a file, which is not imported.' },
    { line: 4, reason: '--data reads a file, which is not imported. Insert its text instead.' },
    { line: 5, reason: expect.stringMatching(/^curl 8\S+ has no option --frob\.$/) },
    { line: 6, reason: 'The method BREW is not supported.' },
  ]);
  expect(requests.map(({ line }) => line)).toEqual([7]);
});

test.each([
  ['--digest -u ada:pw', '--digest signs in with more than one request'],
  ['-u ada', '-u has no password, which curl asks for'],
  ['-n', '-n reads a password from a file. Use -u name:password instead.'],
  ['-K settings.txt', '-K reads a file, which is not imported. Write what is in it as options instead.'],
  ['-T photo.jpg', '-T reads a file, which is not imported. Use -X PUT --data-raw with its text instead.'],
  ['-H @headers.txt', '-H reads a file'],
  ['-b jar.txt', '-b reads cookies from a file, which is not imported. Write them as name=value.'],
  ['--expand-url x', '--expand-url uses variables of curl'],
  ['--dta x', 'Did you mean --data?'],
  ['--data=x', '--data has its value after an ='],
  ['-X get', 'The method get is not supported. curl sends it as it is written: use -X GET.'],
  ['-H "Content-Length: 3" -d x', 'The header Content-Length is not the length of the body'],
  ['-H "Bad Name: x"', 'A header has a name that HTTP does not allow'],
  ["-H $'X-A: b\\r\\nX-C: d'", 'The header X-A has control characters or line ends'],
  ['-d "$BODY"', 'The value of the shell variable $BODY is unknown. Paste the command with its value.'],
  ['-d "${BODY:-x}"', 'the shell variable $BODY'],
  ['$OPTIONS', 'the shell variable $OPTIONS'],
  ['-o $FILE', 'the shell variable $FILE'],
  ['-d "$1"', 'the shell variable $1'],
  [
    '-d "$(cat body.json)"',
    'The output of $(…) is unknown, as an import runs nothing. Paste the command with the output.',
  ],
  ['-d `date`', 'The output of `…` is unknown'],
  ['-d "it is `date`"', 'The output of `…` is unknown'],
  ['-d "$[1+2]"', 'The output of $[…] is unknown'],
  ['-d {"a":1,"b":2}', 'Bash expands {…} outside quotes. Put the text in quotes.'],
  ["-d $'\\xff'", "The bytes in $'…' are not UTF-8 text"],
  ["-d $'a\\0b'", 'The escape \\0 in $'],
  ["-d $'\\x{e9}'", 'The escape \\x in $'],
  ['-d @-', '-d reads standard input, which is not imported. Insert its text instead.'],
  ['--data-urlencode q@-', '--data-urlencode reads standard input'],
  ['-d @- <<EOF\nx\nEOF', 'The here-document <<EOF is not supported. Write its text behind the option.'],
  ['-d @- <<< x', 'The here-string <<< is not supported. Write its text behind the option.'],
  ["-d '' -d x", '-d follows data that is empty'],
  ['-F a=1 -d b=2', '-F cannot be combined with -d'],
  ['-d', '-d has no value.'],
  ['--proxy', '--proxy has no value.'],
  ['http://s/ä', 'The address has ä, which curl sends as it is'],
  ["'http://s/a b'", 'The address has a space'],
  [
    "'http://s/[1-3]'",
    'The address has brackets, with which curl makes several addresses of one. Write each address, or add -g to send them as they are.',
  ],
  ["'http://s/{a,b}'", 'The address has brackets'],
  ["'http://s/?a[]=1'", 'The address has brackets'],
  ["'http://s/a}'", 'The address has brackets'],
  ['ftp://s/x', 'The address is not an HTTP or HTTPS address.'],
  ['ftp.s/x', 'The address has a host whose name stands for another protocol'],
  ['http://s/%2e%2e/x', 'The address has %2e in its path'],
  ['http://s/?a=1&b=2', 'The shell ends the command at an & outside quotes. Put the address in quotes.'],
])('%s is refused by name', (words, reason) => {
  const { requests, unsupported } = parseCurl(`curl http://s/ ${words}`);
  expect(requests).toEqual([]);
  expect(unsupported[0]?.reason).toContain(reason);
});

test.each([
  ['seq 3 | xargs -I{} curl http://s/{}', '“xargs” makes this a script'],
  ['watch -n 1 curl http://s/', '“watch” makes this a script'],
  ['while true; do curl http://s/; done', '“while” makes this a script'],
  ['for n in 1 2; do\n  curl http://s/\ndone', '“for” makes this a script, which an import does not run.'],
  ['if [ -n "$X" ]; then curl http://s/; fi', '“if” makes this a script'],
  ['login() { curl http://s/; }', '“(” makes this a script'],
  ['(curl http://s/)', '“(” makes this a script'],
  ['X=(a b); curl http://s/', '“(” makes this a script'],
  ['curl http://s/ok; exit 0; curl http://s/', '“exit” makes this a script'],
  ["alias curl='curl -k'; curl http://s/", '“alias” makes this a script'],
  ['curl http://s/ok || curl http://s/', 'The command runs only when the one before it fails.'],
  ['curl http://s/ok || true | curl http://s/', 'The command runs only when the one before it fails.'],
  ["echo '{}' | curl -d @- http://s/", '-d reads standard input'],
  ['TOKEN=$(curl http://s/token)\ncurl -H "X-T: $TOKEN" http://s/', 'The output of $(…) is unknown'],
])('%s is refused, because an import runs nothing', (text, reason) => {
  const { requests, unsupported } = parseCurl(text);
  expect(requests.filter(({ path }) => path !== '/ok')).toEqual([]);
  expect(unsupported.map(({ reason }) => reason).join(' ')).toContain(reason);
});

test('What only a shell could tell is named with its line, and the commands around it are kept', () => {
  const text = `TOKEN=abc
curl http://s/a
curl http://s/ \\
  -H "X-Token: $TOKEN"
curl -d @- http://s/ <<-'EOF'
\tcurl http://s/in-the-document
\tit's $HOME
\tEOF
curl http://s/b`;
  const { requests, unsupported } = parseCurl(text);
  expect(requests.map(({ line, path }) => [line, path])).toEqual([
    [2, '/a'],
    [9, '/b'],
  ]);
  expect(unsupported).toEqual([
    { line: 4, reason: expect.stringContaining('the shell variable $TOKEN') },
    { line: 5, reason: expect.stringContaining('The here-document <<-EOF') },
  ]);
});

test('A here-document without an end hides what stands behind it', () => {
  const { requests, unsupported } = parseCurl("curl s/a\ncat <<EOF\ncurl s/b\ncurl 's/\n EOF");
  expect(requests.map(({ path }) => path)).toEqual(['/a']);
  expect(unsupported).toEqual([{ line: 2, reason: '“cat” is not curl and was skipped.' }]);
});

test.each([
  ["curl http://s/ -d '$HOME `x` $(y)'", '$HOME `x` $(y)'],
  ['curl http://s/ -d "\\$HOME \\`x\\` $ 5$"', '$HOME `x` $ 5$'],
  ["curl http://s/ -d $'\\x24HOME'", '$HOME'],
  ['curl http://s/ -d \\$HOME', '$HOME'],
])('%s sends its dollar signs as they are', (text, body) => {
  expect(parseCurl(text)).toMatchObject({ requests: [{ body }], unsupported: [] });
});

test.each([
  ["'http://s/?a\\[\\]=\\{1\\}'", '/?a[]={1}'],
  ["-g 'http://s/?a[]={1,2}'", '/?a[]={1,2}'],
  ["'http://[::1]/a'", '/a'],
])('The brackets of %s are no glob', (address, path) => {
  expect(parseCurl(`curl ${address}`)).toMatchObject({ requests: [{ path }], unsupported: [] });
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

test('A problem repeats no password and no value of a variable', () => {
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

test.each([
  'sudo curl http://s/a',
  '/usr/bin/curl http://s/a',
  'env A=b curl http://s/a',
  'time command "CURL.EXE" http://s/a',
])('%s runs curl', (text) => {
  expect(parseCurl(text).requests).toMatchObject([{ url: 'http://s', path: '/a' }]);
});

/** A request is kept, and one sentence says what is a setting of the run or what the import could not keep. */
test.each<[string, object, string]>([
  ['--proxy http://p:3128 http://s/', {}, '--proxy is ignored: a run connects to its target directly'],
  ["-x '' http://s/", {}, '-x is ignored'],
  ['--socks5 p:1080 http://s/', {}, '--socks5 is ignored'],
  ['--unix-socket /run/app.sock http://s/', {}, 'let the server listen on one too, and give it with --http'],
  ['--connect-to ::10.0.0.7:8443 https://s/', {}, 'Add the name and that address to /etc/hosts'],
  ['--resolve s:443:10.0.0.7 https://s/', {}, 'use the name in --http and --https'],
  ['--cert ada.pem --key ada.key https://s/', {}, '--client-cert'],
  ['--cert ada.pem --key ada.key https://s/', {}, '--client-key'],
  ['--ciphers ECDHE-RSA-AES128-GCM-SHA256 https://s/', {}, 'use --cipher ECDHE-RSA-AES128-GCM-SHA256'],
  ['-k https://s/', {}, '-k is a setting of the run: use --insecure'],
  ['--tls-max 1.2 https://s/', {}, '--tls-max 1.2 is a setting of the run: use --tls 1.2, or TLS version'],
  ['--tlsv1.3 https://s/', {}, 'use --tls 1.3'],
  ['--curves X25519 https://s/', {}, 'use --group X25519'],
  ['--http2-prior-knowledge http://s/', {}, '--baseline h2c'],
  ['--cacert ca.pem https://s/', {}, '--ca'],
  ['-0 http://s/', {}, '-0 is ignored: a run speaks HTTP/1.1'],
  ['-H Accept: http://s/', { headers: [] }, '-H removes accept. A run sends its own.'],
  ["-A '' http://s/", { headers: [] }, '-A removes User-Agent. A run sends its own.'],
  ['-H "Host: other.example" http://s/', { headers: [] }, 'give that name as the address'],
  ['-H "Transfer-Encoding: chunked" -d x http://s/', { body: 'x' }, 'sends each body whole, with its length'],
  ['-H "Expect: 100-continue" -d x http://s/', { body: 'x' }, 'sends each body whole, with its length'],
  ["-d '{days:1}' http://s/", { body: '{days:1}' }, 'Is this body meant as JSON? It has no double quotes'],
  [`-d "'{days:1}'" http://s/`, { body: "'{days:1}'" }, 'Are the single quotes around the body meant?'],
  ['-d “a=1” http://s/', { body: '“a=1”' }, 'Are the typographic quotes'],
])('curl %s is imported, and what is not of the request is named', (words, request, said) => {
  const { requests, unsupported } = parseCurl(`curl ${words}`);
  expect(requests).toMatchObject([request]);
  expect(unsupported.map(({ reason }) => reason).join(' ')).toContain(said);
});

test.each<[string, object]>([
  ['curl -X PROPFIND -H "Depth: 1" http://s/dav/', { method: 'PROPFIND', headers: [['Depth', '1']] }],
  ['curl -X REPORT -d "<q/>" http://s/', { method: 'REPORT', body: '<q/>' }],
  ['curl -X GET -d "{}" http://s/_search', { method: 'GET', body: '{}' }],
  ['curl http://s//other.example/x', { url: 'http://s', path: '//other.example/x' }],
  ['curl http://s/urn:a:b', { path: '/urn:a:b' }],
  [`curl -d '{"days":1}' http://s/`, { body: '{"days":1}' }],
  ['timeout -k 5 20s curl http://s/a', { path: '/a' }],
])('%s is imported without a word', (text, request) => {
  expect(parseCurl(text)).toMatchObject({ requests: [request], unsupported: [] });
});

test.each([
  'https_proxy=http://p curl https://s/a',
  'export https_proxy=http://p; curl https://s/a',
  'https_proxy=http://p; export https_proxy; curl https://s/a',
])('%s: the proxy is noted, and the request is kept', (text) => {
  const { requests, unsupported } = parseCurl(text);
  expect(requests).toMatchObject([{ path: '/a' }]);
  expect(unsupported[0]?.reason).toBe('The proxy is ignored: a run connects to its target directly.');
});

test('Cookies that one command keeps in a file are those of the scenario', () => {
  const text = 'curl -c jar.txt -d user=ada http://s/login\ncurl -b jar.txt http://s/account';
  expect(parseCurl(text)).toMatchObject({ requests: [{}, {}], unsupported: [], keepsCookies: true });
  expect(parseCurl("curl -b '' http://s/a http://s/b")).toMatchObject({
    unsupported: [],
    keepsCookies: true,
  });
  expect(parseCurl('curl http://s/')).toMatchObject({ keepsCookies: false });
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
  'PS C:\\> curl.exe http://s/',
])('%s is refused in a sentence', (text) => {
  expect(() => parseCurl(text)).toThrow(ProblemError);
});

test('A text of more requests than a scenario can have is imported up to there', () => {
  const { requests, unsupported } = parseCurl('curl http://s/\n'.repeat(1002));
  expect(requests).toHaveLength(1000);
  expect(unsupported).toEqual([
    { line: 1001, reason: expect.stringContaining('From this line on, nothing is imported.') },
  ]);
});

test('A command of more requests than a scenario can have is left out', () => {
  const { requests, unsupported } = parseCurl(`curl http://s/\ncurl ${'http://s/ '.repeat(1001)}`);
  expect(requests).toHaveLength(1);
  expect(unsupported).toEqual([{ line: 2, reason: 'The command sends more than 1000 requests.' }]);
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
])('A megabyte of %s ends in a report or a sentence', (_, text) => {
  try {
    const { unsupported } = parseCurl(text);
    expect(unsupported.length).toBeLessThanOrEqual(1001);
    expect(unsupported.every(({ reason }) => reason.length < 1000)).toBe(true);
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
  }
});
