/** Protects passwords while they are typed, key by key: none is in what is shown or kept. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret

import { describe, expect, test } from 'vitest';
import { preflightReportSchema } from '../../../shared/target/preflight.ts';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { maskSecrets, openTypedSecrets } from './typed-secrets.ts';

const form: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']];

/** Key by key, as a field tells it. */
function type(secrets: ReturnType<typeof openTypedSecrets>, field: string, name: string, text: string): void {
  for (let length = 1; length <= text.length; length++) secrets.typed(field, name, text.slice(0, length));
}

describe('what is typed into password fields', () => {
  test('is replaced wherever it stands, in every spelling, and its beginnings where they stand alone', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'a', 'pw', 'hunt&er2');
    const [sent] = secrets.redact([
      exchangeInTest({
        method: 'POST',
        path: '/check?typed=hunt&word=hunting',
        requestHeaders: form,
        requestBody: 'who=ann&pw=hunt%26er2',
        responseBody: '<p>You sent hunt&amp;er2, and went hunting</p>',
      }),
    ]);
    expect(sent).toMatchObject({
      path: '/check?typed=${secret:pw}&word=hunting',
      requestBody: 'who=ann&pw=${secret:pw}',
      responseBody: '<p>You sent ${secret:pw}, and went hunting</p>',
    });
    expect(secrets.secrets()).toMatchObject([{ name: 'pw' }]);
  });

  test('keeps one name when it is typed twice, and both when it is changed', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'old', 'password', 'first-one');
    type(secrets, 'new', 'password', 'second-one');
    type(secrets, 'again', 'repeat', 'second-one');
    const [first, second] = ['first-one', 'second-one'].map((value) => secrets.placeholderFor(value));
    expect(secrets.clean({ note: 'first-one second-one' })).toEqual({ note: `${first} ${second}` });
    expect(first).not.toBe(second);
    expect(secrets.secrets()).toHaveLength(2);
  });

  test('is a secret although it was corrected afterwards, and short ones are in the fields that send them', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'a', '', 'abcdef');
    secrets.typed('a', '', '');
    type(secrets, 'a', '', 'xyz');
    expect(secrets.clean('abcdef')).not.toContain('abcdef');
    const [sent] = secrets.redact([
      exchangeInTest({ method: 'POST', requestHeaders: form, requestBody: 'p=xyz&other=xyzzy' }),
    ]);
    expect(sent?.requestBody).toBe('p=${secret:password}&other=xyzzy');
  });

  test('may be a word that the recorder itself speaks, and spoils nothing that it tells', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'a', 'pw', 'left_alone');
    type(secrets, 'b', 'pw', 'click');
    const told = [
      { type: 'ended', ending: 'left_alone' },
      { type: 'steps', steps: [{ type: 'click', button: 'left' }] },
    ];
    expect(secrets.clean(told)).toEqual(told);
    expect(secrets.clean({ type: 'fill', value: 'click' })).toEqual({
      type: 'fill',
      value: '${secret:pw_2}',
    });
  });

  test('may stand in an address, in front of the host', () => {
    const secrets = openTypedSecrets();
    secrets.opened('http://ann:hunt%2Fer2@shop.example/');
    secrets.opened('http://shop.example/');
    expect(secrets.clean(['http://ann:hunt%2Fer2@shop.example/cart', 'hunt/er2'])).toEqual([
      'http://ann:${secret:password}@shop.example/cart',
      '${secret:password}',
    ]);
    expect(secrets.secrets()).toHaveLength(1);
  });
});

/** Protects secrets in all that is stored: hidden however they are spelled. */

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
