/** Protects what compare writes on its run, and the link it asks for: as they were given, or refused by their names. */
import { expect, test } from 'vitest';
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
  [['--link', '0ms'], 'link.roundTripMs: the round trip of a link is 0.1 to 2,000 ms, not 0'],
  [['--tls', '1.1'], '--tls takes 1.3 or 1.2, not "1.1".'],
  [['--pair-users', '65'], '--pair-users takes a whole number from 1 to 64, not "65".'],
  [['--cipher', 'A B'], '--cipher takes one name, such as TLS_AES_128_GCM_SHA256, not "A B".'],
  [['--link', 'moon'], 'link: "moon" is not a link: write lan, metro,'],
])('%j is refused', (args, message) => {
  expect(() => parseComparison(args)).toThrow(message);
});
