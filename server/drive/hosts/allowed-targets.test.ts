/** Protects the hosts of others: a generator loads what its own command line names, by the addresses that it finds itself. */
import { expect, test } from 'vitest';
import { capsSchema } from '../../../shared/target/target.ts';
import { parseAllowed, printAllowed, reasonAgainstLoading } from './allowed-targets.ts';

const permit = { host: 'whatever', caps: capsSchema.parse({}) };

function allow(...texts: string[]) {
  return texts.map((text) => {
    const judgement = parseAllowed(text);
    if (!judgement.valid) throw new Error(judgement.reason);
    return judgement.allowed;
  });
}

/** Judges `staging.example.com`, which resolves to 10.1.2.3 here. */
function judge(hostname: string, address: string, allowed: string[], port = 80, change: object = {}) {
  const lookUp = async (name: string) => {
    if (name === 'staging.example.com') return ['10.1.2.3'];
    throw new Error('no address');
  };
  const own = [{ host: '10.9.9.9', port: 7300 }];
  return reasonAgainstLoading({ hostname, address, port, permit, ...change }, allow(...allowed), {
    lookUp,
    own,
  });
}

test.each([
  ['10.1.2.3', '10.1.2.3', ['10.1.2.3'], 80],
  ['10.1.2.3', '10.1.2.3', ['10.1.0.0/16'], 443],
  ['any.example.com', '10.1.2.3', ['10.1.0.0/16'], 80],
  ['STAGING.example.com', '10.1.2.3', ['staging.example.com'], 80],
  ['staging.example.com', '10.1.2.3', ['10.0.0.1', 'staging.example.com:8080'], 8080],
  ['2a00:db8::1', '2a00:db8::1', ['[2a00:db8::1]:80'], 80],
])('%s at %s is loaded where %j is allowed', async (hostname, address, allowed, port) => {
  expect(await judge(hostname, address, allowed, port)).toBeNull();
});

test.each([
  ['nothing is allowed', ['10.1.2.3', '10.1.2.3', []], 'it may not load 10.1.2.3 with port 80'],
  ['the port is another one', ['10.1.2.3', '10.1.2.3', ['10.1.2.3:8080']], 'it may not load'],
  [
    'the name leads elsewhere from here',
    ['staging.example.com', '10.6.6.6', ['staging.example.com']],
    'it may not',
  ],
  [
    'the name leads nowhere from here',
    ['other.example.com', '10.1.2.3', ['other.example.com']],
    'it may not',
  ],
  ['another name leads there', ['evil.example.com', '10.1.2.3', ['staging.example.com']], 'it may not'],
  ['it is loopback', ['staging.example.com', '127.0.0.1', ['staging.example.com']], 'is this machine'],
  ['it is loopback in IPv6', ['x', '::ffff:127.0.0.1', ['10.1.2.3']], 'is this machine'],
  ['it is a metadata address', ['x', '169.254.169.254', ['10.1.2.3']], 'never allowed'],
  ['it is link-local', ['x', 'fe80::1', ['10.1.2.3']], 'never allowed'],
  ['it is the dashboard', ['10.9.9.9', '10.9.9.9', ['10.9.9.9']], 'is this dashboard'],
] as const)('nothing is loaded where %s', async (_, [hostname, address, allowed], reason) => {
  const port = address === '10.9.9.9' ? 7300 : 80;
  expect(await judge(hostname, address, [...allowed], port)).toMatch(reason);
});

test('a target without limits is not loaded', async () => {
  expect(await judge('10.1.2.3', '10.1.2.3', ['10.1.2.3'], 80, { permit: undefined })).toMatch(/no limits/);
});

test.each([
  ['127.0.0.1', 'never loads'],
  ['localhost', 'this machine'],
  ['169.254.169.254', 'never allowed'],
  ['0.0.0.0/0', 'too wide'],
  ['10.1.2.3:0', 'no port'],
  ['10.1.2.3:99999', 'no port'],
  ['http://10.1.2.3', 'Write it'],
  ['', 'is not a host'],
])('%s cannot be allowed', (text, reason) => {
  expect(parseAllowed(text)).toMatchObject({ valid: false, reason: expect.stringContaining(reason) });
});

test.each(['10.1.2.3', '10.1.0.0/16', 'staging.example.com:8080', '[2a00:db8::1]:443', '2a00:db8::/32'])(
  '%s is shown as it was written',
  (text) => {
    expect(allow(text).map(printAllowed)).toEqual([text]);
  },
);
