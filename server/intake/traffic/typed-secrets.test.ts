/** Protects passwords while they are typed, key by key: none is in what is shown or kept. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written
import { describe, expect, test } from 'vitest';
import { exchangeInTest } from '../../testing/exchange-in-test.ts';
import { openTypedSecrets } from './typed-secrets.ts';

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
