/** Protects passwords in imported texts: none comes out, and no two share a name. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a secret is written
import { expect, test } from 'vitest';
import { importText } from './import-text.ts';

test('two passwords have two names, one in the fields of a page and one in a request', () => {
  const { actions, scenario, secrets } = importText(
    `test('Log in', async ({ page, request }) => {
      await page.goto('http://shop.example/login');
      await page.getByLabel('Password').fill('of-the-page');
      await request.post('http://shop.example/api', { form: { password: 'of-the-request', again: 'of-the-page' } });
    });`,
    { name: 'It', format: 'playwright' },
  );
  expect(actions.at(-1)).toMatchObject({ type: 'fill', value: '${secret:password}' });
  expect(scenario?.steps.at(-1)?.body).toBe('password=${secret:password_2}&again=${secret:password}');
  expect(secrets.map(({ name }) => name)).toEqual(['password', 'password_2']);
});

test('a password in front of a host is in no address, and the request sends credentials', () => {
  const page = importText(`await page.goto('http://ann:pa55@shop.example/');`, {
    ...{ name: 'It', format: 'playwright' },
  });
  expect(page.actions).toMatchObject([{ type: 'goto', url: 'http://ann:${secret:password}@shop.example/' }]);
  const curl = importText('curl http://ann:pa55word@shop.example/', { name: 'It', format: 'curl' });
  expect(curl.scenario?.steps).toMatchObject([
    { path: '/', headers: { authorization: 'Basic ${secret:authorization}' } },
  ]);
  expect(JSON.stringify([page, curl])).not.toMatch(/pa55|YW5uOnBhNTV/);
});
