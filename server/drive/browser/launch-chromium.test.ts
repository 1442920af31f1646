/** Protects Chromium’s command line: pinned addresses, any port, and no unverified certificate. */
import { expect, test } from 'vitest';
import { chromiumArguments } from './launch-chromium.ts';

function argumentsFor(
  listeners: { hostname: string; address: string; port: number }[],
  trustedSpki: string | null = null,
) {
  return chromiumArguments({ executablePath: 'chromium', listeners, trustedSpki, timeoutMs: 1000 });
}

test('only the target’s name is resolved, to its pinned address', () => {
  const listeners = [
    { hostname: 'shop.test', address: '127.0.0.1', port: 8080 },
    { hostname: 'shop.test', address: '127.0.0.1', port: 8443 },
  ];
  expect(argumentsFor(listeners)).toContain(
    '--host-resolver-rules=MAP shop.test 127.0.0.1, MAP * 127.0.0.1:0',
  );
});

test('an address in place of a name is left as it is', () => {
  const listeners = [
    { hostname: '127.0.0.1', address: '127.0.0.1', port: 8080 },
    { hostname: 'shop.test', address: '::1', port: 8443 },
  ];
  expect(argumentsFor(listeners)).toContain(
    '--host-resolver-rules=EXCLUDE 127.0.0.1, MAP shop.test [::1], MAP * 127.0.0.1:0',
  );
});

test('ports that browsers avoid can be targets', () => {
  const listeners = [{ hostname: 'shop.test', address: '127.0.0.1', port: 6000 }];
  expect(argumentsFor(listeners)).toContain('--explicitly-allowed-ports=6000');
});

test('a certificate error is never passed over without a verified key', () => {
  expect(argumentsFor([]).filter((argument) => argument.startsWith('--ignore-certificate-errors'))).toEqual(
    [],
  );
  expect(argumentsFor([], 'a2V5')).toContain('--ignore-certificate-errors-spki-list=a2V5');
});
