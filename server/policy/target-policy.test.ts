/** Protects other machines: loopback addresses are permitted, everything else is refused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeAddress, judgeOrigin } from './target-policy.ts';

test.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is permitted',
  (address) => {
    expect(judgeAddress(address)).toEqual({ permitted: true });
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
  ['::127.0.0.1', /only this machine/],
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
