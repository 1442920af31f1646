/** Protects the line about an address: what was found there, what is missing, and how to provide it. */
import { expect, test } from 'vitest';
import type { FoundListener, Lookup } from './preflight.ts';
import { lookupInWords, questionOfTrust } from './target-words.ts';

const fingerprint = `29:5B:${'00:'.repeat(28)}90:DB`;
const http: FoundListener = {
  ...{ scheme: 'http', origin: 'http://127.0.0.1:8080', server: 'nginx 1.22', program: 'nginx' },
  ...{ processes: 4, status: 200, bodyBytes: 10_240, tls: null },
};
const https = (trusted: 'authority' | 'here' | 'asks'): FoundListener => ({
  ...http,
  ...{ scheme: 'https', origin: 'https://127.0.0.1:8443' },
  tls: {
    protocol: 'TLSv1.3',
    certificate: { fingerprint, selfSigned: true, problem: 'The certificate is self-signed.', trusted },
  },
});
const lookup = (change: Partial<Lookup>): Lookup => ({
  ...{ found: [], same: null, missing: null, others: [], twin: null, servers: [] },
  ...change,
});

test('a pair is one line, with its trusted certificate and the process whose CPU is read', () => {
  expect(lookupInWords(lookup({ found: [http, https('here')], same: true }))).toBe(
    'Found nginx 1.22 on :8080 and :8443 · same page, 10 kB · TLS 1.3 · self-signed, trusted for this run on this machine, name and dates not checked · CPU is read from nginx (4 processes)',
  );
  expect(lookupInWords(lookup({ found: [http, https('authority')], same: true }))).not.toContain('trusted');
});

test('a missing side is named with the ports that were asked', () => {
  const node = { ...http, origin: 'http://127.0.0.1:3000', server: 'node', program: 'node', processes: 1 };
  const missing = { scheme: 'https' as const, ports: [3000, 443, 3443, 3001] };
  expect(lookupInWords(lookup({ found: [node], missing }))).toBe(
    'Found node on :3000, and no HTTPS on :3000, :443, :3443, or :3001. Paste its HTTPS address, too.',
  );
  expect(lookupInWords(lookup({ found: [node], others: [https('here')] }))).toMatch(/Choose one of these/);
});

test('two addresses that serve different pages are not called the same', () => {
  const other = { ...https('here'), bodyBytes: 300, server: 'node', program: 'node', processes: 1 };
  expect(lookupInWords(lookup({ found: [http, other], same: false }))).toMatch(
    /^Found nginx 1\.22 on :8080 and node on :8443 · different pages, 10 kB and 300 B/,
  );
});

test('a changed certificate asks for trust, and so does one on another host', () => {
  expect(questionOfTrust(lookup({ found: [http, https('here')] }))).toBeNull();
  expect(questionOfTrust(lookup({ found: [http, https('asks')] }))).toMatch(/earlier run trusted/);
  const remote = { ...https('asks'), origin: 'https://staging.example.com' };
  expect(questionOfTrust(lookup({ found: [remote] }))).toMatch(/^The certificate is self-signed\./);
  expect(lookupInWords(lookup({ found: [remote] }))).toMatch(
    /SHA-256 29:5B…90:DB · CPU there needs an agent$/,
  );
});

test('an empty lookup has no line', () => {
  expect(lookupInWords(lookup({}))).toBeNull();
});
