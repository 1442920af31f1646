/** Protects other machines: loopback and what was allowed is permitted, everything else is refused. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capsSchema, type Permit } from '../../../shared/target/target.ts';
import {
  isAddress,
  judgeAddress,
  judgeOrigin,
  parseHost,
  printHost,
  reasonAgainstOwn,
} from './target-policy.ts';

test.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is permitted',
  (address) => {
    expect(judgeAddress(address)).toEqual({ permitted: true, permit: null });
  },
);

test.each([
  ['169.254.169.254', /link-local \(a metadata address\)/],
  ['::ffff:169.254.169.254', /link-local \(a metadata address\)/],
  ['fd00:ec2::254', /private network \(a metadata address\)/],
  ['168.63.129.16', /public address \(a metadata address\)/],
  ['10.0.0.1', /private network/],
  ['192.168.1.1', /private network/],
  ['172.16.0.1', /private network/],
  ['100.64.0.1', /carrier/],
  ['0.0.0.0', /unspecified/],
  ['::', /unspecified/],
  ['fe80::1', /link-local/],
  ['fc00::1', /private network/],
  ['8.8.8.8', /public/],
  ['2001:4860:4860::8888', /public/],
  ['255.255.255.255', /broadcast/],
  ['224.0.0.1', /multicast/],
  ['64:ff9b::7f00:1', /NAT64/],
  ['2002:7f00:1::', /6to4/],
  ['::127.0.0.1', /never allowed/],
  ['126.255.255.255', /public/],
  ['128.0.0.1', /public/],
  ['0177.0.0.1', /not an IP address/],
  ['127.1', /not an IP address/],
  ['localhost', /not an IP address/],
  ['', /not an IP address/],
])('%s is refused, and the reason says what it is', (address, reason) => {
  const judgement = judgeAddress(address);
  expect(judgement.permitted).toBe(false);
  expect(judgement.permitted ? '' : judgement.reason).toMatch(reason);
});

describe('another host', () => {
  const allowed = (...hosts: string[]): Permit[] =>
    hosts.map((host) => ({ host, caps: capsSchema.parse({}) }));

  test.each([
    ['10.1.2.3', '10.1.2.3', ['10.1.2.3']],
    ['10.1.2.3', 'anything.example', ['10.1.0.0/16']],
    ['::ffff:10.1.2.3', '::ffff:a01:203', ['10.1.0.0/16']],
    ['192.168.1.9', 'staging.example.com', ['staging.example.com']],
    ['192.168.1.9', 'STAGING.example.com.', ['staging.example.com']],
    ['8.8.8.8', '8.8.8.8', ['8.8.8.8']],
    ['100.64.0.1', '100.64.0.1', ['100.64.0.0/10']],
    ['fd12::1', 'fd12::1', ['fd12::/64']],
    ['2600::1', '2600::1', ['2600::/32']],
  ])('%s, as %s, is permitted where %j is allowed', (address, hostname, hosts) => {
    const permits = allowed(...hosts);
    expect(judgeAddress(address, hostname, permits)).toEqual({ permitted: true, permit: permits[0] });
  });

  test.each([
    ['10.2.0.1', '10.2.0.1', '10.1.0.0/16'],
    ['10.1.2.4', 'x.example', '10.1.2.3'],
    ['10.1.2.3', 'evil-staging.example.com', 'staging.example.com'],
    ['10.1.2.3', 'staging.example.com.evil.example', 'staging.example.com'],
    ['fd12:0:0:1::1', 'x.example', 'fd12::/64'],
    ['::ffff:10.2.0.1', 'x.example', '10.1.0.0/16'],
  ])('%s, as %s, is refused where only %s is allowed', (address, hostname, host) => {
    const judgement = judgeAddress(address, hostname, allowed(host));
    expect(judgement).toMatchObject({ permitted: false, reason: expect.stringContaining('/targets') });
  });

  test.each([
    ['169.254.169.254', '169.0.0.0/8'],
    ['169.254.1.1', '169.254.1.1'],
    ['100.100.100.200', '100.64.0.0/10'],
    ['168.63.129.16', '168.63.0.0/16'],
    ['192.0.0.192', '192.0.0.0/8'],
    ['fd00:ec2::254', 'fd00::/32'],
    ['fd00:ec2::23', 'fd00:ec2::/64'],
    ['fd20:ce::254', 'fd20:ce::/64'],
    ['fe80::1', 'fe80::/64'],
    ['0.0.0.0', '0.0.0.0/8'],
    ['255.255.255.255', '255.0.0.0/8'],
    ['224.0.0.1', '224.0.0.0/8'],
    ['64:ff9b::a9fe:a9fe', '64:ff9b::/96'],
    ['64:ff9b:1::a9fe:a9fe', '64:ff9b:1::/48'],
    ['2002:a9fe:a9fe::1', '2002::/32'],
    ['::ffff:0:a9fe:a9fe', '::/32'],
    ['::169.254.169.254', '::/32'],
    ['::ffff:169.254.169.254', '169.254.169.254'],
    ['2001:db8::1', '2001:db8::/32'],
    ['198.18.0.1', '198.18.0.0/15'],
  ])('%s is never permitted, also where %s is allowed, or the name that leads there', (address, range) => {
    for (const hostname of [address, 'staging.example.com']) {
      expect(judgeAddress(address, hostname, allowed(range, 'staging.example.com'))).toMatchObject({
        permitted: false,
        reason: expect.stringContaining('never allowed'),
      });
    }
  });

  test('the name counts before a range, and the narrower range before the wider one', () => {
    const permits = allowed('10.0.0.0/8', '10.1.0.0/16', 'staging.example.com');
    const hostOf = (address: string, hostname: string) => {
      const judgement = judgeAddress(address, hostname, permits);
      return judgement.permitted ? judgement.permit?.host : null;
    };
    expect(hostOf('10.1.2.3', 'staging.example.com')).toBe('staging.example.com');
    expect(hostOf('10.1.2.3', 'x.example')).toBe('10.1.0.0/16');
    expect(hostOf('10.2.2.3', 'x.example')).toBe('10.0.0.0/8');
  });
});

test.each([
  ['10.1.2.3', '10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['2600::1', '2600:0:0:0:0:0:0:1', true],
  ['10.1.2.4', '10.1.2.3', false],
  [undefined, '10.1.2.3', false],
])('a connection to %s leads to %s: %s', (remote, judged, same) => {
  expect(isAddress(remote, judged)).toBe(same);
});

test('no IPv4 address outside 127/8 is permitted', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      expect(judgeAddress(`${a}.${b}.${c}.${d}`).permitted).toBe(a === 127);
      expect(judgeAddress(`::ffff:${a}.${b}.${c}.${d}`).permitted).toBe(a === 127);
    }),
  );
});

test.each([
  ['http://127.0.0.1:8080', 'http', '127.0.0.1', 8080],
  ['http://0x7f.1', 'http', '127.0.0.1', 80],
  ['http://2130706433:81/', 'http', '127.0.0.1', 81],
  ['http://0177.0.0.1', 'http', '127.0.0.1', 80],
  ['http://0xa9fea9fe', 'http', '169.254.169.254', 80],
  ['http://１６９.254.169.254', 'http', '169.254.169.254', 80],
  ['https://[::1]:8443', 'https', '::1', 8443],
  ['https://[::ffff:169.254.169.254]', 'https', '::ffff:a9fe:a9fe', 443],
  ['https://SHOP.test', 'https', 'shop.test', 443],
] as const)('%s is read as its real host and port', (text, scheme, hostname, port) => {
  expect(judgeOrigin(text, scheme)).toEqual({ valid: true, origin: { hostname, port } });
});

test.each([
  ['127.0.0.1:8080', 'http', /is not an origin|does not start with http/],
  ['https://127.0.0.1', 'http', /does not start with http:\/\//],
  ['file:///etc/passwd', 'http', /is not an origin|does not start/],
  ['http://user:secret@127.0.0.1', 'http', /Leave the user name and password out/],
  ['http://127.0.0.1/shop', 'http', /scenario/],
  ['http://127.0.0.1:0', 'http', /port 0/],
  ['http://127.0.0.1:99999', 'http', /not an origin/],
] as const)('%s is refused as an origin', (text, scheme, reason) => {
  const judgement = judgeOrigin(text, scheme);
  expect(judgement.valid ? '' : judgement.reason).toMatch(reason);
});

test('a password is not repeated in the reason', () => {
  expect(JSON.stringify(judgeOrigin('http://user:secret@127.0.0.1', 'http'))).not.toContain('secret');
});

/** Protects what an operator allows: it is read as a socket would take it, and never wider than it was meant. */

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

/** Protects the dashboard from being its own target, in whatever spelling, and other servers from being taken for it. */

const own = [
  { host: '127.0.0.1', port: 7300 },
  { host: '127.0.0.0/8', port: 7301 },
  { host: '::1', port: 7301 },
  { host: '10.1.2.3', port: 7301 },
];

test.each([
  ['127.0.0.1', 7300],
  ['::ffff:127.0.0.1', 7300],
  ['127.9.9.9', 7301],
  ['::1', 7301],
  ['10.1.2.3', 7301],
  ['::ffff:a01:203', 7301],
])('%s with port %i is the dashboard', (address, port) => {
  expect(reasonAgainstOwn(address, port, own)).toMatch(/is this dashboard/);
});

test.each([
  ['127.0.0.2', 7300],
  ['127.0.0.1', 8080],
  ['10.1.2.4', 7301],
  ['::1', 7300],
  ['shop.example', 7301],
])('%s with port %i is not', (address, port) => {
  expect(reasonAgainstOwn(address, port, own)).toBeNull();
});
