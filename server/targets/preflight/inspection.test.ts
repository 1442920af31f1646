/** Protects the search for links that lead a browser to the other scheme. */
import { expect, test } from 'vitest';
import { findSchemeLinks } from './inspection.ts';

const across = (html: string) => findSchemeLinks(html, 'http', ['shop.test', '::1']);

test.each([
  ['<script src="https://shop.test/a.js"></script>', 'resource'],
  ['<LINK REL=stylesheet HREF=https://shop.test:8443/a.css>', 'resource'],
  ['<img srcset="/a.png 1x, https://shop.test/b.png 2x">', 'resource'],
  ['<base href="https://[::1]:8443/">', 'resource'],
  ['<form action=" https://shop.test/login "></form>', 'form'],
  ['<button formaction="HTTPS://SHOP.TEST/x">', 'form'],
  ['<a href="https://shop.test/cart">', 'link'],
])('%s leads to the other scheme as a %s', (html, kind) => {
  expect(across(html).links.map((link) => link.kind)).toEqual([kind]);
});

test.each([
  '<a href="/cart"><img src="a.png"><script src="//shop.test/a.js"></script>',
  '<a href="http://shop.test/cart">',
  '<img src="https://cdn.example/a.png">',
  '<link rel="canonical" href="https://shop.test/">',
  '<!-- <img src="https://shop.test/a.png"> --><p>https://shop.test/</p>',
  '<img src="https://[">',
])('%s stays where it is', (html) => {
  expect(across(html)).toEqual({ links: [], upgrades: false });
});

test('a policy in the page is read as one in a header', () => {
  const policy = "default-src 'self'; Upgrade-Insecure-Requests";
  expect(across(`<meta http-equiv="Content-Security-Policy" content="${policy}">`).upgrades).toBe(true);
  expect(across('<meta name="x" content="upgrade-insecure-requests">').upgrades).toBe(false);
});
