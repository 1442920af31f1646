/** Protects the import of what browsers copy as PowerShell: the request that Invoke-WebRequest sends, or a reason. */
import { expect, test } from 'vitest';
import { parseCurl } from '../parse-curl.ts';

const copied = `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession
$session.UserAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"
$session.Cookies.Add((New-Object System.Net.Cookie("sid", "a\`$b\`"c", "/", "shop.example")))
$session.Cookies.Add((New-Object System.Net.Cookie("theme", "dark", "/", ".shop.example")))
Invoke-WebRequest -UseBasicParsing -Uri "https://shop.example/api/items?q=1&r=%20" \`
-Method "POST" \`
-WebSession $session \`
-Headers @{
"accept"="*/*"
  "accept-language"="en;q=0.9"
  "origin"="https://shop.example"
} \`
-ContentType "application/json" \`
-Body ([System.Text.Encoding]::UTF8.GetBytes("{\`"name\`":\`"caf$([char]233)\`",\`"note\`":\`"a$([char]10)b\`"}"))`;

test('What Chrome copies as PowerShell is the request that it sends', () => {
  expect(parseCurl(copied)).toEqual({
    unsupported: [],
    requests: [
      {
        line: 5,
        method: 'POST',
        url: 'https://shop.example',
        path: '/api/items?q=1&r=%20',
        headers: [
          ['accept', '*/*'],
          ['accept-language', 'en;q=0.9'],
          ['origin', 'https://shop.example'],
          ['user-agent', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'],
          ['cookie', 'sid=a$b"c; theme=dark'],
          ['content-type', 'application/json'],
        ],
        body: '{"name":"café","note":"a\nb"}',
      },
    ],
  });
});

test('Several requests, one after the other, with line ends of Windows', () => {
  const text = `Invoke-WebRequest -Uri "http://s/a" -Headers @{\n"accept"="*/*"\n}\n\nInvoke-WebRequest -Uri 'http://s' -Headers @{"accept"="*/*"}`;
  const { requests, unsupported } = parseCurl(text.replaceAll('\n', '\r\n'));
  expect(unsupported).toEqual([]);
  expect(requests.map(({ line, path }) => [line, path])).toEqual([
    [1, '/a'],
    [5, '/'],
  ]);
});

test.each([
  ['-Uri "$base/a"', 'uses a variable'],
  ['-Uri "http://s/" -InFile x.json', 'has the option -infile'],
  ['-Uri "http://s/"', 'has no Accept header'],
  ['-Uri "http://s/%7Ea" -Headers @{"accept"="*/*"}', 'has an address that PowerShell would change'],
  ['-Uri "http://s/" -Method "BREW"', 'has a method that is not supported'],
  ['-Uri "http://s/" -Method POST -Headers @{"accept"="*/*"} -Body "é"', 'encode differently'],
  ['-Uri "http://s/" -Headers @{"accept"="*/*"} -Body "x"', 'has a body with GET'],
  ['-Uri "http://s/" -Headers @{"accept"=$x}', 'is not in the form that browsers copy'],
  ['-Uri "http://s/', 'has a quote that is never closed'],
])('%s is refused by name', (options, reason) => {
  const { requests, unsupported } = parseCurl(`Invoke-WebRequest ${options}`);
  expect(requests).toEqual([]);
  expect(unsupported).toEqual([{ line: 1, reason: expect.stringContaining(reason) }]);
});

test('A statement that browsers do not copy is listed, and the request is kept', () => {
  const { requests, unsupported } = parseCurl(`Write-Host "hunter2"\n$x = 1\n${copied}`);
  expect(requests).toHaveLength(1);
  expect(unsupported.map(({ line }) => line)).toEqual([1, 2]);
  expect(JSON.stringify(unsupported)).not.toContain('hunter2');
});
