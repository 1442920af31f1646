/** Protects reading commands of cmd, PowerShell and bash: each word as its program would get it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a shell writes a variable
import { expect, test } from 'vitest';
import { detectShell } from './detect-shell.ts';
import { shellCommands } from './shell-commands.ts';

const wordsOf = (text: string) => shellCommands(text).map(({ words }) => words.map((word) => word.text));
const faultsOf = (text: string) =>
  shellCommands(text).flatMap(({ words, faults }) => [...faults, ...words.flatMap((word) => word.faults)]);

test.each([
  ['curl "http://s/" ^\n  -I', 'cmd'],
  ['curl ^"http://s/^"', 'cmd'],
  ['C:\\Users\\ada>curl http://s/', 'cmd'],
  ['PS C:\\Users\\ada> curl.exe http://s/', 'powershell'],
  ["curl.exe 'http://s/' `\n  -I", 'powershell'],
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
  expect(faultsOf(text)).toEqual([]);
});

test.each([
  ['curl ^"http://s/%TOKEN%^"', 'uses %TOKEN%'],
  ['curl ^"http://s/^" "open', 'has a quote that is not closed'],
  ['curl ^"a^" || curl ^"b^"', 'runs only when the command before it fails'],
])('cmd names what %j leaves open', (text, fault) => {
  expect(faultsOf(text).join()).toContain(fault);
});

test.each([
  ["curl.exe 'http://s/?a=1&b=2' `\n  -H 'X-A: it''s'", ['curl.exe', 'http://s/?a=1&b=2', '-H', "X-A: it's"]],
  ['& curl.exe "a`tb" `\n -d "1$ `$x" # no', ['curl.exe', 'a\tb', '-d', '1$ $x']],
  ['PS C:\\> curl.exe http://s/ -o NUL > $null', ['curl.exe', 'http://s/', '-o', 'NUL']],
])('PowerShell reads %j', (text, words) => {
  expect(wordsOf(text)).toEqual([words]);
});

test.each([
  ['curl.exe "http://s/$token" `\n', 'uses $'],
  ['curl.exe -d \'{"a":1}\' `\n s', 'has quotes inside'],
])('PowerShell names what %j leaves open', (text, fault) => {
  expect(faultsOf(text).join()).toContain(fault);
});

test.each([
  ['a=1\ncurl "$a" ${a} "${a:?}" "x${a:-y}"', ['curl', '1', '1', '1', 'x1']],
  ['export a="b c"\ncurl "$a"', ['curl', 'b c']],
  ['```bash\ncurl a\n```', ['curl', 'a']],
  ['curl a \\\r\n  b\r\n', ['curl', 'a', 'b']],
  ['[me@host ~]$ curl a', ['curl', 'a']],
  ['(venv) me@host:~/x% curl a', ['curl', 'a']],
  ['bash-5.2$ curl a \\\n> b', ['curl', 'a', 'b']],
])('bash reads %j', (text, words) => {
  expect(wordsOf(text).at(-1)).toEqual(words);
  expect(faultsOf(text)).toEqual([]);
});

test.each([
  ['a="b c"\ncurl $a', 'uses $a'],
  ['a=1\nsource x\ncurl "$a"', 'uses $a'],
  ['for a in 1; do\na=2\ndone\ncurl "$a"', 'uses $a'],
  ['a=1 curl "$a"', 'uses $a'],
  ['a=\ncurl "${a:-b}"', 'uses $a'],
  ['curl `date`', 'uses `…`'],
  ['curl <(date)', 'uses <(…)'],
  ['curl ~/x', 'uses ~'],
  ['curl {a,b}', 'has {…} outside quotes'],
  ["curl $'\\ud83d\\ude00'", 'is not a character'],
  ["curl $'\\xe9'", 'not UTF-8'],
])('bash names what %j leaves open', (text, fault) => {
  expect(faultsOf(text).join()).toContain(fault);
});
