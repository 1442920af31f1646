/** Protects a share of resumed sessions from being read out of what does not say it. */
import { expect, test } from 'vitest';
import { readResumedShare } from './resumed-share.ts';

const line = (reused: string) =>
  `127.0.0.1 - - [25/Nov/2026:16:00:00 +0000] "GET /a.r HTTP/1.1" 200 612 "-" "curl/8.5.0" TLSv1.3 ${reused} 0.001`;

test('an access log says it in a column of its own', () => {
  const log = [line('r'), line('.'), line('.'), line('r'), line('-'), ''].join('\n');
  expect(readResumedShare(log)).toEqual({ share: 50, of: 4, unit: 'requests' });
  expect(
    readResumedShare('{"status":200,"ssl_session_reused":"r"}\n{"ssl_session_reused": "."}')?.share,
  ).toBe(50);
  expect(readResumedShare('ssl_session_reused=r')?.share).toBe(100);
});

test('counters say it, over all listeners', () => {
  const admin = [
    'listener.0.0.0.0_8443.ssl.handshake: 300',
    'listener.0.0.0.0_8443.ssl.session_reused: 60',
    'listener.0.0.0.0_9443.ssl.handshake: 100',
    'listener.0.0.0.0_9443.ssl.session_reused: 40',
    'listener.0.0.0.0_8443.ssl.fail_verify_error: 7',
  ].join('\n');
  expect(readResumedShare(admin)).toEqual({ share: 25, of: 400, unit: 'handshakes' });
  const prometheus = [
    '# TYPE envoy_listener_ssl_handshake counter',
    'envoy_listener_ssl_handshake{envoy_listener_address="0.0.0.0_8443"} 200',
    'envoy_listener_ssl_session_reused{envoy_listener_address="0.0.0.0_8443"} 50',
  ].join('\n');
  expect(readResumedShare(prometheus)?.share).toBe(25);
});

test('a log of 5 MB in one line, made to take long, is read before anybody would wait', () => {
  expect(readResumedShare('_ssl_handshake{'.repeat(333_000))).toBeNull();
  expect(readResumedShare(`${'x'.repeat(5_000_000)} ssl_session_reused=r`)?.share).toBe(100);
});

test.each([
  ['', 'nothing'],
  ['127.0.0.1 - - "GET / HTTP/1.1" 200 612 "-" "curl/8.5.0"', 'a log without it'],
  ['r . r', 'a line with several'],
  ['ssl.handshake: 0\nssl.session_reused: 0', 'a server without TLS'],
  ['ssl.handshake: 1\nssl.session_reused: 2', 'counters that do not belong together'],
])('%j says nothing: %s', (text) => {
  expect(readResumedShare(text)).toBeNull();
});
