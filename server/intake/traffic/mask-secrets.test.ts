/** Protects secrets in all that is stored: hidden however they are spelled. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { expect, test } from 'vitest';
import { preflightReportSchema } from '../../../shared/target/preflight.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { maskSecrets } from './mask-secrets.ts';

test('a value is hidden however it is spelled, wherever it stands', () => {
  const mask = maskSecrets({ password: 'open "sesame" & co' });
  const said = {
    location: '/?p=open%20%22sesame%22%20%26%20co',
    list: ['open+%22sesame%22+%26+co', 'open \\"sesame\\" & co', 'open &quot;sesame&quot; &amp; co', 7, null],
  };
  expect(mask(said)).toEqual({
    location: '/?p=${secret:password}',
    list: ['${secret:password}', '${secret:password}', '${secret:password}', 7, null],
  });
});

test('a value is hidden as applications write it: escaped for pages, twice, and in the Base64 of what it is in', () => {
  const value = `it's <open> & "sesame"`;
  const mask = maskSecrets({ password: value });
  const said = [
    'it&#39;s &lt;open&gt; &amp; &quot;sesame&quot;',
    'it&#x27;s &lt;open&gt; &amp; &#34;sesame&#34;'.replace('&#x27;', '&#39;'),
    JSON.stringify(JSON.stringify(value)),
    encodeURIComponent(JSON.stringify(value)),
    encodeURIComponent(encodeURIComponent(value)),
    '{"a":"it\\u0027s \\u003copen\\u003e \\u0026 \\"sesame\\""}',
    btoa(value),
    btoa(`ann:${value}`),
    btoa(`name=ann;password=${value};`),
  ];
  for (const text of said) {
    expect(mask(text)).toContain('${secret:password}');
    expect(mask(text)).not.toMatch(/sesame|b3Blbi|9wZW4|vcGVu/);
  }
});

test('a short value is hidden where it stands alone', () => {
  const mask = maskSecrets({ pin: '7a', other: '$1' });
  expect(mask('/?pin=7a&x=17a, 7ab: 7a $1')).toBe(
    '/?pin=${secret:pin}&x=17a, 7ab: ${secret:pin} ${secret:other}',
  );
});

test('a password that is a word of the product spoils nothing that is stored', () => {
  const { preflight } = sampleRun({ launches: 1, epochs: 1 });
  const mask = maskSecrets({ one: 'pass', two: 'http', three: 'steady', four: 'tls' });
  expect(preflightReportSchema.safeParse(mask(preflight)).error).toBeUndefined();
  const event = { type: 'block', kind: 'steady', phase: 'warm-up' };
  expect(mask(event)).toEqual(event);
});

test('without secrets nothing is copied', () => {
  const value = { text: 'x' };
  expect(maskSecrets({})(value)).toBe(value);
});
