/** Protects results that are sent as files: nothing that people typed is markup, a script or a mark of the template. */
import { expect, test } from 'vitest';
import { looksOf } from '../../../shared/base/side-looks.ts';
import { sidesOfPair } from '../../../shared/base/transport.ts';
import type { Digest } from '../../../shared/words/digest.ts';
import { fillPage, policyOf, printDigest, printDigestPage } from './digest-page.ts';

const hostile = '</title></script><script>alert(1)</script> %result% $& "\' \u2028\u0000';
const template =
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:" /><title>%title%</title><div>%summary%</div><script type="application/gzip">%result%</script>';

const digest: Digest = {
  headline: { title: hostile, second: hostile, third: hostile },
  evidence: hostile,
  outcome: 'overhead',
  compared: {
    sides: { baseline: hostile, comparison: 'HTTPS' },
    ci: '95 % CI',
    looks: looksOf(sidesOfPair(['http', 'https'])),
    cards: [
      {
        title: hostile,
        baseline: hostile,
        comparison: '2 ms',
        change: '+1 %',
        range: hostile,
        real: true,
        word: 'Costs more',
        interval: null,
      },
    ],
  },
  setting: hostile,
  measuredAt: Date.UTC(2026, 10, 21, 14, 5),
};

test('each part stands in its place, and a mark in one of them is left as it is', () => {
  const page = fillPage(template, { title: hostile, summary: '<p>%title%</p>', result: 'H4sIA+/=' });
  expect(page).toContain(
    '<title>&#60;/title&#62;&#60;/script&#62;&#60;script&#62;alert(1)&#60;/script&#62; %result% $&#38; &#34;&#39; \u2028 · TLS Toll</title>',
  );
  expect(page).toContain('<div><p>%title%</p></div>');
  expect(page).toContain('<script type="application/gzip">H4sIA+/=</script>');
});

test('the policy of a page is read from it', () => {
  expect(policyOf(template)).toBe("default-src 'none'; img-src data:");
  expect(policyOf('<title>%title%</title>')).toBeNull();
});

test.each([
  ['for a file', printDigest(digest, null)],
  ['for a frame', printDigestPage(digest, 'http://127.0.0.1/r/"><script>')],
])('what is said of a result %s holds no markup from its texts', (_what, html) => {
  expect(html).not.toMatch(/<script|alert\(1\)<\/|<\/title><\/script/);
  expect(html.match(/&#60;script&#62;alert\(1\)/g)?.length).toBeGreaterThan(5);
  expect(html).toContain('21 November 2026 at 14:05 UTC');
});

test('only a frame links to its result, in a window of its own', () => {
  expect(printDigest(digest, null)).not.toContain('href');
  expect(printDigestPage(digest, 'http://a/r/b')).toContain(
    '<a href="http://a/r/b" target="_blank" rel="noopener">',
  );
});
