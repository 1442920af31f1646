/** Protects what an operator allows: it is read as a socket would take it, and never wider than it was meant. */
import { expect, test } from 'vitest';
import { parseHost, printHost } from './parse-host.ts';

test.each([
  ['staging.example.com', 'staging.example.com'],
  ['STAGING.example.com.', 'staging.example.com'],
  ['ⓔxample.com', 'example.com'],
  ['ünï.example', 'xn--n-nga1b.example'],
  ['10.1.2.3', '10.1.2.3'],
  ['0x0a.1.2.3', '10.1.2.3'],
  ['012.1.2.3', '10.1.2.3'],
  ['１0.1.2.3', '10.1.2.3'],
  ['10.1.2.3.', '10.1.2.3'],
  ['10.1.2.3/32', '10.1.2.3'],
  ['10.1.2.3/16', '10.1.0.0/16'],
  ['FD12::1', 'fd12::1'],
  ['[fd12::1]', 'fd12::1'],
  ['fd12::5/64', 'fd12::/64'],
])('%s is %s', (text, printed) => {
  const judgement = parseHost(text);
  if (!judgement.valid) throw new Error(judgement.reason);
  expect(printHost(judgement.host)).toBe(printed);
  expect(parseHost(printed)).toEqual(judgement);
});

test.each([
  ['', /is not a host/],
  ['https://staging.example.com', /without scheme, port and path/],
  ['staging.example.com/shop', /without scheme, port and path/],
  ['staging.example.com:8080', /is not a host/],
  ['user@staging.example.com', /is not a host/],
  ['a b', /is not a host/],
  ['*', /by its own name/],
  ['*.example.com', /by its own name/],
  ['a,b', /by its own name/],
  ['localhost', /always allowed/],
  ['shop.localhost', /always allowed/],
  ['0.0.0.0/0', /too wide/],
  ['10.0.0.0/7', /too wide/],
  ['10.0.0.0/33', /more bits/],
  ['::/0', /too wide/],
  ['::ffff:10.0.0.0/104', /range of IPv4/],
  ['example.com/24', /without scheme, port and path/],
  ['fe80::1%eth0', /is not a host/],
])('“%s” is refused, and the reason says how it is written', (text, reason) => {
  const judgement = parseHost(text);
  expect(judgement.valid ? 'valid' : judgement.reason).toMatch(reason);
});
