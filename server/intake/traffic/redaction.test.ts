/** Protects secrets in imported traffic: none is left, wherever it stands. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../shared/scenario/import.ts';
import { preflightReportSchema } from '../../../shared/target/preflight.ts';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { redactExchanges } from '../../testing/redact-exchanges.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { maskSecrets, openTypedSecrets } from './redaction.ts';
import { openReplacer } from './spellings.ts';

const form: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']];

test('A password is replaced in its form and wherever it comes back', () => {
  const { exchanges, secrets } = redactExchanges([
    exchangeInTest({
      method: 'POST',
      requestHeaders: form,
      requestBody: new URLSearchParams({ user: 'ada', password: 'p&ss "wörd"/1' }).toString(),
      responseHeaders: [['content-type', 'application/json']],
      responseBody: JSON.stringify({ echo: 'p&ss "wörd"/1' }),
    }),
    exchangeInTest({ path: `/find?q=${encodeURIComponent('p&ss "wörd"/1')}` }),
  ]);
  expect(exchanges[0]?.requestBody).toBe('user=ada&password=${secret:password}');
  expect(exchanges[0]?.responseBody).toBe('{"echo":"${secret:password}"}');
  expect(exchanges[1]?.path).toBe('/find?q=${secret:password}');
  expect(secrets).toEqual([{ name: 'password', why: 'the form field password of entry 1', declined: false }]);
});

test('Credentials, cookies and keys are secrets in whatever place they are sent', () => {
  const { exchanges } = redactExchanges([
    exchangeInTest({
      path: '/?api_key=abc123def',
      requestHeaders: [
        ['Authorization', 'Bearer eyJhbGciOi'],
        ['Cookie', 'sid=51; theme=dark'],
        ['X-Api-Key', 'k1'],
        ['Content-Type', 'application/json'],
      ],
      requestBody: '{"card":{"cardNumber":4111111111111111}}',
      responseHeaders: [['Set-Cookie', 'sid=52abc; Path=/; HttpOnly\nlang=en']],
    }),
  ]);
  expect(exchanges[0]).toMatchObject({
    path: '/?api_key=${secret:api_key}',
    requestHeaders: [
      ['Authorization', 'Bearer ${secret:authorization}'],
      ['Cookie', 'sid=${secret:cookie_sid}; theme=${secret:cookie_theme}'],
      ['X-Api-Key', '${secret:x_api_key}'],
      ['Content-Type', 'application/json'],
    ],
    requestBody: '{"card":{"cardNumber":${secret:cardNumber}}}',
    responseHeaders: [
      ['Set-Cookie', 'sid=${secret:cookie_sid_2}; Path=/; HttpOnly\nlang=${secret:cookie_lang}'],
    ],
  });
});

test('A cookie that is a plain word makes no secret of that word', () => {
  const { exchanges } = redactExchanges([
    exchangeInTest({ path: '/dark/s1d2f3g4h5', requestHeaders: [['cookie', 'theme=dark; sid=s1d2f3g4h5']] }),
  ]);
  expect(exchanges[0]?.path).toBe('/dark/${secret:cookie_sid}');
  expect(exchanges[0]?.requestHeaders).toEqual([
    ['cookie', 'theme=${secret:cookie_theme}; sid=${secret:cookie_sid}'],
  ]);
});

test('Equal values have one name, other values of the same field another', () => {
  const sent = (token: string): Exchange =>
    exchangeInTest({ method: 'POST', requestHeaders: form, requestBody: `token=${token}` });
  const { exchanges } = redactExchanges([sent('first'), sent('other'), sent('first')]);
  expect(exchanges.map(({ requestBody }) => requestBody)).toEqual([
    'token=${secret:token}',
    'token=${secret:token_2}',
    'token=${secret:token}',
  ]);
});

test('Redacting twice changes nothing more', () => {
  const exchange = exchangeInTest({ method: 'POST', requestHeaders: form, requestBody: 'token=abcdef' });
  const once = redactExchanges([exchange]).exchanges;
  expect(redactExchanges(once)).toEqual({ exchanges: once, secrets: [] });
});

test('Whatever a password is, from four letters on it is nowhere in what is kept', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 4, maxLength: 30 }), (password) => {
      fc.pre(
        !/^(true|false|null|none|undefined|deleted)$/i.test(password) &&
          !'user=ada&password='.includes(password),
      );
      const { exchanges } = redactExchanges([
        exchangeInTest({
          method: 'POST',
          requestHeaders: form,
          requestBody: new URLSearchParams({ user: 'ada', password }).toString(),
          responseHeaders: [['content-type', 'application/json']],
          responseBody: JSON.stringify([password]),
        }),
      ]);
      expect(exchanges[0]?.requestBody).toBe('user=ada&password=${secret:password}');
      expect(exchanges[0]?.responseBody).toBe('["${secret:password}"]');
    }),
  );
});

test('A thousand values are replaced as replacing them one by one would', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.stringMatching(/^[a-c]{4,6}$/), { maxLength: 5 }),
      fc.stringMatching(/^[a-c ]{0,60}$/),
      (values, text) => {
        const replace = openReplacer(new Map(values.map((value, index) => [value, `<${index}>`])));
        const longestFirst = [...values].sort((a, b) => b.length - a.length);
        const expected =
          values.length === 0
            ? text
            : text.replace(new RegExp(longestFirst.join('|'), 'g'), (value) => `<${values.indexOf(value)}>`);
        expect(replace(text)).toBe(expected);
      },
    ),
  );
});

test('What goes into a password field is a secret under whatever name its form sends it', () => {
  const { exchanges } = redactExchanges([
    exchangeInTest({
      responseBody:
        '<form method=post><input name=w1 type="password" title="8+ -> strong"><input name=q></form>',
    }),
    exchangeInTest({ method: 'POST', requestHeaders: form, requestBody: 'w1=abc&q=abc' }),
    exchangeInTest({ path: '/again?w1=correct-horse' }),
    exchangeInTest({ path: '/correct-horse' }),
  ]);
  expect(exchanges.slice(1)).toMatchObject([
    { requestBody: 'w1=${secret:w1}&q=abc' },
    { path: '/again?w1=${secret:w1_2}' },
    { path: '/${secret:w1_2}' },
  ]);
});

test('Secrets are found in multipart forms and in JSON that is sent as plain text, and files stay as they are', () => {
  const part = (head: string, value: string) =>
    `--xyz\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const body = (password: string) =>
    `${part('name="user"', 'ann')}${part('name="password"', password)}${part('name="token"; filename="a.txt"', 'kept')}--xyz--\r\n`;
  const { exchanges } = redactExchanges([
    exchangeInTest({
      method: 'POST',
      requestHeaders: [['content-type', 'multipart/form-data; boundary=xyz']],
      requestBody: body('pw1'),
    }),
    exchangeInTest({
      method: 'POST',
      requestHeaders: [['content-type', 'text/plain;charset=UTF-8']],
      requestBody: '{"pin":"123"}',
    }),
  ]);
  expect(exchanges).toMatchObject([
    { requestBody: body('${secret:password}') },
    { requestBody: '{"pin":"${secret:pin}"}' },
  ]);
});

/** Names of fields, words of the syntax, and words of one letter. */
const commonWords = ['secret', 'password', 'user', 'csrf', 'hidden', 'value', 'input', 'json', 'p', 'true1'];

test.each(commonWords)('A password that is %s is replaced as a value, and never as a name', (password) => {
  const { exchanges } = redactExchanges([
    exchangeInTest({
      path: `/user/password?secret=1`,
      responseBody: `<input type="hidden" name="csrf" value="c5f1a"><input type=password name=password>`,
      responseHeaders: [['content-type', 'text/html']],
    }),
    exchangeInTest({
      method: 'POST',
      path: '/user',
      requestHeaders: form,
      requestBody: new URLSearchParams({ csrf: 'c5f1a', user: 'ada', password }).toString(),
      responseHeaders: [['content-type', 'application/json']],
      responseBody: JSON.stringify({ user: 'ada', password, secret: { json: [1] } }),
    }),
  ]);
  expect(exchanges[0]?.path).toBe('/user/password?secret=${secret:secret}');
  expect(exchanges[0]?.responseBody).toMatch(/type="hidden" name="csrf" value="\$\{secret:csrf\}"/);
  expect(exchanges[1]?.requestBody).toBe('csrf=${secret:csrf}&user=ada&password=${secret:password}');
  expect(exchanges[1]?.requestHeaders).toEqual(form);
  const held = password.length < 4 ? password : '${secret:password}';
  expect(exchanges[1]?.responseBody).toBe(`{"user":"ada","password":"${held}","secret":{"json":[1]}}`);
});

test('A common word inside of a value that was sent is replaced behind its name', () => {
  const body = JSON.stringify({ input: JSON.stringify({ password: 'secret', remember: 'secrets' }) });
  const { exchanges } = redactExchanges([
    exchangeInTest({
      method: 'POST',
      requestHeaders: [['content-type', 'application/json']],
      requestBody: body,
    }),
  ]);
  expect(JSON.parse(JSON.parse(exchanges[0]?.requestBody ?? '').input)).toEqual({
    password: '${secret:password}',
    remember: 'secrets',
  });
});

/** Protects passwords while they are typed, key by key: none is in what is shown or kept. */

const secretsForm: [string, string][] = [['content-type', 'application/x-www-form-urlencoded']];

/** Key by key, as a field tells it. */
function type(secrets: ReturnType<typeof openTypedSecrets>, field: string, name: string, text: string): void {
  for (let length = 1; length <= text.length; length++) secrets.typed(field, name, text.slice(0, length));
}

describe('text typed into password fields', () => {
  test('is replaced everywhere, in every spelling, and its beginnings where they are whole values', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'a', 'pw', 'hunt&er2');
    const [sent] = secrets.redact([
      exchangeInTest({
        method: 'POST',
        path: '/check?typed=hunt&word=hunting',
        requestHeaders: secretsForm,
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

  test('keeps one name when it is typed twice, and has two when it is changed', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'old', 'password', 'first-one');
    type(secrets, 'new', 'password', 'second-one');
    type(secrets, 'again', 'repeat', 'second-one');
    const [first, second] = ['first-one', 'second-one'].map((value) => secrets.placeholderFor(value));
    expect(secrets.clean({ note: 'first-one second-one' })).toEqual({ note: `${first} ${second}` });
    expect(first).not.toBe(second);
    expect(secrets.secrets()).toHaveLength(2);
  });

  test('stays a secret after it is corrected, and a short one is replaced only in the fields that send it', () => {
    const secrets = openTypedSecrets();
    type(secrets, 'a', '', 'abcdef');
    secrets.typed('a', '', '');
    type(secrets, 'a', '', 'xyz');
    expect(secrets.clean('abcdef')).not.toContain('abcdef');
    const [sent] = secrets.redact([
      exchangeInTest({ method: 'POST', requestHeaders: secretsForm, requestBody: 'p=xyz&other=xyzzy' }),
    ]);
    expect(sent?.requestBody).toBe('p=${secret:password}&other=xyzzy');
  });

  test('may be a word of the recorder, whose messages stay intact', () => {
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

  test('may be part of an address, in front of the host', () => {
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

test('a value is hidden everywhere, in every spelling', () => {
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

test('a value is hidden as applications write it: escaped for pages, twice, and inside of Base64', () => {
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

test('a short value is hidden where it is a whole value', () => {
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
