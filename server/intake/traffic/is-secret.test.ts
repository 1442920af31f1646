/** Protects what is taken for a secret: names in many languages, credentials by their form, and few false alarms. */
import { expect, test } from 'vitest';
import { isSecretValue } from './found-secrets.ts';
import { isSecretName } from './spellings.ts';

const secretNames =
  'password passwd user_pin otp otpCode cvv cvc2 cc card-number iban access_token clientSecret X-Api-Key Authorization PHPSESSID session_id XSRF-TOKEN csrfmiddlewaretoken passwort Kennwort geheim contraseña contrasena CONTRASEÑA mot_de_passe motDePasse mdp senha wachtwoord lösenord hasło heslo şifre пароль 密码 パスワード 비밀번호'.split(
    ' ',
  );
secretNames.push('Mot de passe', 'Card number', 'Enter your one-time code: OTP', 'Número de tarjeta');

test.each(secretNames)('%s names a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each(
  'user email q page author hasLocation hasLogo pinned spinner keyboard monkey primaryKey company token_type max_tokens cookie_consent passenger compass assessment tokens www-authenticate expires_in country step account amount'.split(
    ' ',
  ),
)('%s names none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

test('A placeholder is part of no name', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
  expect(isSecretName('${secret:key}')).toBe(false);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a value
  expect(isSecretName('${row}_password')).toBe(true);
});

test('A label that joins words by chance names none', () => {
  expect(isSecretName('Add to kentucky')).toBe(false);
});

const values: [string, string][] = [
  ['x-tenant', 'q7Zt2LmX9vRb4KdN8sYw3HcP'],
  ['x-thing', '9f86d081884c7d659a2feaa0c55ad015'],
  ['a', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.S2FuYXJpZVZvZ2Vs'],
  ['n', '4539 5787 6362 1486'],
  ['to', 'DE89 3704 0044 0532 0130 00'],
  [
    'pem',
    `-----BEGIN CERTIFICATE-----\n${'A'.repeat(5000)}\n-----END CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----`,
  ],
];
test.each(values)('A value called %s is a credential by its form: %s', (name, value) => {
  expect(isSecretValue(value, name)).toBe(true);
});

const plain: [string, string][] = [
  ['id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  ['requestId', 'q7Zt2LmX9vRb4KdN8sYw3HcP'],
  ['sha256Hash', 'ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38'],
  ['if-none-match', '9f86d081884c7d659a2feaa0c55ad015'],
  ['slug', 'summer-sale-2024-mens-running-shoes'],
  ['t', '1767323045000'],
  ['ts', '2026-01-02T03:04:05.000Z'],
  ['n', '4539578763621487'],
  ['file', 'main-layout-component.bundle.js'],
  ['event', 'XMLHttpRequestEventTarget2'],
  ['path', '/static/media/roboto-latin-400-normal.woff2'],
  ['q', 'how-to-configure-nginx-1-25-with-http3'],
  ['number', '31415926535897932384626433'],
  ['text', 'The quick brown fox jumps over the lazy dog 123 times'],
];
test.each(plain)('A value called %s is none: %s', (name, value) => {
  expect(isSecretValue(value, name)).toBe(false);
});
