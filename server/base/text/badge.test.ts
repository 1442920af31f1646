/** Protects badges: they are SVG whatever is written on them, and wide enough for it. */
import { expect, test } from 'vitest';
import { printBadge } from './badge.ts';

test('a badge has its words as a picture and for readers, and no markup from them', () => {
  const svg = printBadge({ label: 'TLS', message: '<5 % & "less"', tone: 'good' });
  expect(svg).toContain('aria-label="TLS: &#60;5 % &#38; &#34;less&#34;"');
  expect(svg.match(/&#60;5 % &#38; &#34;less&#34;/g)).toHaveLength(3);
  expect(svg).not.toContain('<5');
});

test('a badge grows with its words', () => {
  const width = (message: string) =>
    Number(/width="(\d+)"/.exec(printBadge({ label: 'TLS', message, tone: 'plain' }))?.[1]);
  expect(width('HTTPS costs 14 % more server CPU') - width('HTTPS costs 14 % more')).toBe(68);
});
