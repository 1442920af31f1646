/** Protects reading commands of cmd and bash: each word as its program would get it. */
import { expect, test } from 'vitest';
import { detectShell, shellCommands } from './command-shells.ts';

const wordsOf = (text: string) => [...shellCommands(text)].map(({ words }) => words.map((word) => word.text));
const failedChecks = (text: string) => [...shellCommands(text)].flatMap(({ problem }) => problem ?? []);

test.each([
  ['curl "http://s/" ^\n  -I', 'cmd'],
  ['curl ^"http://s/^"', 'cmd'],
  ['C:\\Users\\ada>curl http://s/', 'cmd'],
  ['PS C:\\Users\\ada> curl.exe http://s/', 'powershell'],
  ["curl.exe 'http://s/' `\n  -I", 'powershell'],
  ["# ends in `\ncurl 'http://s/'", 'bash'],
  ["curl 'http://s/^\"' \\\n -I", 'bash'],
  ['curl "http://s/?a=^" -I', 'bash'],
  ["curl -d'^\"'", 'bash'],
  ['curl -d "a\n^"', 'bash'],
  ['# up ^\ncurl http://s/', 'bash'],
  ['# it\'s\ncurl ^"s^"', 'cmd'],
])('%j is written for %s', (text, shell) => {
  expect(detectShell(text)).toBe(shell);
});

test.each([
  ['curl ^"http://s/?a=1^&b=%^20x^"', ['curl', 'http://s/?a=1&b=%20x']],
  ['curl "http://s/?a=1&b=2" ^\r\n  -H "X-A: b"', ['curl', 'http://s/?a=1&b=2', '-H', 'X-A: b']],
  ['curl ^"s^" --data-raw ^"line 1^\n\nline 2^"', ['curl', 's', '--data-raw', 'line 1\nline 2']],
  ['curl ^"s^" -d ^"^{^\\^"a^\\^":^\\^"b c^\\^"^}^"', ['curl', 's', '-d', '{"a":"b c"}']],
  ['curl "s" -d "a""b" ^\n-I', ['curl', 's', '-d', 'a"b', '-I']],
  ['curl ^"s^" -d "C:\\dir\\\\" -d \\\\\\"x', ['curl', 's', '-d', 'C:\\dir\\', '-d', '\\"x']],
  ['C:\\>curl.exe ^"s^" > out.txt 2>&1', ['curl.exe', 's']],
  ['curl ^"http://s/^\\^{a^\\^}^"', ['curl', 'http://s/\\{a\\}']],
])('cmd reads %j', (text, words) => {
  expect(wordsOf(text)).toEqual([words]);
  expect(failedChecks(text)).toEqual([]);
});

test.each([
  [
    'curl ^"http://s/%TOKEN%^"',
    'The value of the variable %TOKEN% is unknown. Paste the command with its value.',
  ],
  ['curl ^"http://s/^" "open', 'A quote is not closed on its line. Add the quote that is missing.'],
  ['curl ^"a^" || curl ^"b^"', 'The command runs only when the one before it fails.'],
])('cmd names what %j leaves open', (text, reason) => {
  expect(failedChecks(text)).toEqual([{ line: 1, reason }]);
});

test('curl for PowerShell is refused by name', () => {
  expect(() => shellCommands("curl.exe 'http://s/' `\n  -I")).toThrow(
    'Commands for PowerShell cannot be imported. In the browser, choose Copy as cURL from the same menu.',
  );
});

test.each([
  ['```bash\ncurl a\n```', ['curl', 'a']],
  ['curl a \\\r\n  b\r\n', ['curl', 'a', 'b']],
  ['[me@host ~]$ curl a', ['curl', 'a']],
  ['(venv) me@host:~/x% curl a', ['curl', 'a']],
  ['bash-5.2$ curl a \\\n> b', ['curl', 'a', 'b']],
])('bash reads %j', (text, words) => {
  expect(wordsOf(text).at(-1)).toEqual(words);
  expect(failedChecks(text)).toEqual([]);
});

test.each([
  ['curl <(date)', 'The output of <(…)'],
  ['curl ~/x', 'The home directory ~'],
  ['curl -d a=~', 'The home directory ~'],
  ['curl {a,b}', 'Bash expands {…}'],
  ["curl $'\\ud83d\\ude00'", 'The escape \\ud83d'],
  ["curl $'\\xe9'", 'not UTF-8'],
])('bash names what %j leaves open', (text, reason) => {
  expect(failedChecks(text)).toEqual([{ line: 1, reason: expect.stringContaining(reason) }]);
});
