/** Protects what compare writes on its run and asks for, questions among it: as it was given, or with what is wrong by its name. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  canAnswer,
  type Place,
  places,
  type QuestionName,
  questionNames,
  questions,
} from '../../../shared/kinds/comparison/questions.ts';
import { problemsOfSides } from '../../../shared/kinds/comparison/run-request.ts';
import { differencesOfSides } from '../../../shared/words/side-words.ts';
import { parseComparison } from './compare.ts';

test('title, note and tags are no part of the request', () => {
  const plain = parseComparison(['--seed', '1']);
  expect(plain.annotation).toEqual({});
  const args = [
    '--seed',
    '1',
    '--title',
    ' After the  upgrade ',
    '--note',
    'a\nb',
    '--tag',
    'x',
    '--tag',
    'y z',
  ];
  const labeled = parseComparison(args);
  expect(labeled.annotation).toEqual({ title: 'After the upgrade', note: 'a\nb', tags: ['x', 'y z'] });
  expect(labeled.request).toEqual(plain.request);
});

test.each([
  [['--ca', '/dev/null'], '--ca applies only to a server that is already running'],
  [['--client-cert', '/dev/null'], '--client-cert applies only to a server that is already running'],
  [['--client-key', '/dev/null'], '--client-key applies only to a server that is already running'],
  [['--target', 'nginx', '--pid', '1'], '--pid applies only to a server that is already running'],
  [
    ['--agent', '127.0.0.1:7301', '--agent-key', '3a'.repeat(32)],
    '--agent applies only to a server that is already running',
  ],
])('what is said of a running server is refused without its addresses: %j', (asked, words) => {
  expect(() => parseComparison(asked)).toThrow(words);
});

test('a link is a profile or figures', () => {
  const linkOf = (text: string) => parseComparison(['--link', text]).request.link;
  expect(linkOf('metro')).toEqual({ roundTripMs: 5, mbitPerS: null });
  expect(linkOf('25ms,50mbit')).toEqual({ roundTripMs: 25, mbitPerS: 50 });
});

test('a version of TLS is asked for by its number or its name, and none where none is given', () => {
  const versionOf = (...args: string[]) => parseComparison(args).request.tls.version;
  expect(versionOf()).toBeNull();
  for (const text of ['1.3', 'TLSv1.3', 'TLS 1.3', 'tls1.3']) {
    expect(versionOf('--tls', text), text).toBe('TLSv1.3');
  }
  expect(versionOf('--tls', '1.2')).toBe('TLSv1.2');
});

test('labels of several sites are kept apart', () => {
  const at = (...sites: string[]) => sites.flatMap((site) => ['--labels', site]);
  expect(parseComparison(at('site=fra,cpu=arm')).labels).toEqual([{ site: 'fra', cpu: 'arm' }]);
  const sites = at('site=fra', 'site=iad');
  expect(parseComparison(sites).labels).toEqual([{ site: 'fra' }, { site: 'iad' }]);
  expect(() => parseComparison([...sites, '--repeat', 'nightly'])).toThrow(
    '--repeat is for one result. Give --labels only once.',
  );
});

test.each([
  [['--title', 'x'.repeat(201)], 'title: a title has at most 200 characters'],
  [['--note', 'x'.repeat(10_001)], 'note: a note has at most 10,000 characters'],
  [['--tag', 'a,b'], 'tags.0: a tag has no comma'],
  [['--link', '2001ms'], 'link.roundTripMs: the round trip of a link is 0 to 2,000 ms, not 2001'],
  [['--tls', '1.1'], '--tls takes 1.3 or 1.2, not "1.1".'],
  [['--pair-users', '65'], '--pair-users takes a whole number from 1 to 64, not "65".'],
  [['--cipher', 'A B'], '--cipher takes one name, such as TLS_AES_128_GCM_SHA256, not "A B".'],
  [['--link', 'moon'], 'link: "moon" is not a link: write lan, metro,'],
])('%j is refused', (args, message) => {
  expect(() => parseComparison(args)).toThrow(message);
});

/** Options of `compare`: `--target …`, or addresses. */
function argumentsAt(place: Place, name: QuestionName): string[] {
  if (place === 'storefront') return [];
  const library = name === 'library' ? ['--comparison-library', 'openssl-3.5.0'] : [];
  if (place !== 'origins') return ['--target', place, ...library];
  const other = name === 'server' ? ['--comparison', 'https://127.0.0.1:9443'] : [];
  return ['--https', 'https://127.0.0.1:8443', ...other];
}

describe.each(questionNames)('--question %s', (name) => {
  test.each(places.filter((place) => canAnswer(name, place)))('on %s', (place) => {
    const { request } = parseComparison(['--question', name, ...argumentsAt(place, name)]);
    expect(problemsOfSides(request)).toEqual([]);
    expect(differencesOfSides(request)).toHaveLength(1);
    const { both } = questions[name];
    expect(request.connectionPolicy).toBe(both?.connectionPolicy ?? 'keep-alive');
    if (both?.target !== undefined) expect(request.target).toMatchObject(both.target);
  });

  test.each(places.filter((place) => !canAnswer(name, place)))('on %s says which can', (place) => {
    expect(() => parseComparison(['--question', name, ...argumentsAt(place, name)])).toThrow(
      /^“[^”]+” needs .+: .+ cannot answer it\.$/,
    );
  });
});

test('a question that a target cannot answer names those that can', () => {
  expect(() => parseComparison(['--question', 'kernel-tls', '--target', 'go'])).toThrow(
    '“Kernel TLS or not” needs nginx: Go net/http cannot answer it.',
  );
});

test('what is given besides a question counts', () => {
  const asked = (...args: string[]) => parseComparison(['--question', ...args]).request;
  expect(asked('key', '--target', 'go', '--comparison-key', 'RSA-4096', '--tls', '1.2')).toMatchObject({
    sides: { baseline: { target: { key: 'P-256' } }, comparison: { target: { key: 'RSA-4096' } } },
    tls: { version: 'TLSv1.2' },
  });
  expect(asked('tls-version', '--connection-policy', 'keep-alive').connectionPolicy).toBe('keep-alive');
  expect(asked('kernel-tls', '--target', 'nginx', '--document', '500').target).toMatchObject({
    documents: [500],
  });
  expect(asked('http-version', '--baseline', 'http').sides.baseline.transport).toBe('http');
  expect(asked('server', '--target', 'nginx', '--comparison-server', 'go').sides.comparison).toMatchObject({
    target: { server: 'go' },
  });
  const twoServers = asked('server', '--baseline-server', 'envoy', '--comparison-server', 'haproxy');
  expect(differencesOfSides(twoServers)).toMatchObject([{ values: { baseline: 'Envoy' } }]);
  expect(
    asked('server', '--baseline', 'https://a.test', '--comparison', 'https://b.test').sides,
  ).toMatchObject({
    baseline: { target: { origin: 'https://a.test' } },
    comparison: { target: { origin: 'https://b.test' } },
  });
});

test.each([
  [['--question', 'speed'], /^--question takes https, tls-version, .*, not "speed"/],
  [['--question', 'https', '--noise-check'], '--noise-check is itself a question. Remove --question.'],
  [
    ['--question', 'post-quantum', '--group', 'P-256'],
    '“Post-quantum or not” is about sides that differ by --group. Give --baseline-group and --comparison-group instead.',
  ],
  [
    ['--question', 'server', '--https', 'https://127.0.0.1:8443'],
    '“This server or that one” needs an address for each side, such as --baseline',
  ],
  [
    ['--question', 'library', '--target', 'nginx'],
    '“This TLS library or that one” needs a library for a side: --comparison-libssl DIRECTORY, or --comparison-library NAME',
  ],
  [['--comparison-libssl', '/nowhere'], '--comparison-libssl: /nowhere contains no libssl that can be read.'],
])('%j', (args, message) => {
  expect(() => parseComparison(args)).toThrow(message);
});

test('directories of libraries are named by their versions, and the request has the names alone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-libssl-'));
  const at = (name: string, version: string) => {
    const path = join(directory, name);
    mkdirSync(path);
    writeFileSync(join(path, 'libssl.so.3'), '');
    writeFileSync(join(path, 'libcrypto.so.3'), `\0OpenSSL ${version} 8 Apr 2025\0`);
    return path;
  };
  try {
    const [old, one, other] = [at('old', '3.0.8'), at('one', '3.5.0'), at('other', '3.5.0')];
    const asked = (baseline: string, comparison: string) => {
      const paths = ['--baseline-libssl', baseline, '--comparison-libssl', comparison];
      const { request, libraries } = parseComparison([
        '--question',
        'library',
        '--target',
        'nginx',
        ...paths,
      ]);
      expect(JSON.stringify(request)).not.toContain(directory);
      const { baseline: first, comparison: second } = request.sides;
      return { names: [first.target?.library, second.target?.library], libraries };
    };
    expect(asked(old, one)).toEqual({
      names: ['openssl-3.0.8', 'openssl-3.5.0'],
      libraries: { 'openssl-3.0.8': old, 'openssl-3.5.0': one },
    });
    expect(asked(one, `${one}/`).names).toEqual(['openssl-3.5.0', 'openssl-3.5.0']);
    expect(asked(one, other)).toEqual({
      names: ['openssl-3.5.0', 'openssl-3.5.0-comparison'],
      libraries: { 'openssl-3.5.0': one, 'openssl-3.5.0-comparison': other },
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('as many sessions are resumed as a log says', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-log-'));
  try {
    const [log, other] = [join(directory, 'access.log'), join(directory, 'other.log')];
    writeFileSync(log, 'GET /a 200 TLSv1.3 r\nGET /b 200 TLSv1.3 .\nGET /c 200 TLSv1.3 .\nGET /d 200 - -\n');
    writeFileSync(other, 'GET /a 200\n');
    const { tls } = parseComparison(['--resumed-from', log, '--group', 'X25519']).request;
    expect(tls).toMatchObject({ resumption: 'mix', resumedShare: 0.33, group: 'X25519' });
    expect(() => parseComparison(['--resumed-from', other])).toThrow('says nothing of resumed sessions');
    expect(() => parseComparison(['--resumed-from', `${log}.gz`])).toThrow('could not be read');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
