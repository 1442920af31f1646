/** Protects what --data-urlencode and --url-query of curl commands send. */
import { expect, test } from 'vitest';
import { parseCurl } from './curl-commands.ts';

test.each([
  ["'-._~aZ9'", '-._~aZ9'],
  [`"+&/?!'()*"`, '%2B%26%2F%3F%21%27%28%29%2A'],
  ["'é☕'", '%C3%A9%E2%98%95'],
  ["'\n%'", '%0A%25'],
  ["'a b'", 'a+b'],
  ["'=a=b'", 'a%3Db'],
  ["'q=a b'", 'q=a+b'],
])('--data-urlencode %s', (value, body) => {
  expect(parseCurl(`curl http://s/ --data-urlencode ${value}`).requests).toMatchObject([{ body }]);
});

test.each([
  ["'q=a b'", '/?q=a+b'],
  ["'+q=%20'", '/?q=%20'],
  ["'q=1' --url-query 'r=2'", '/?q=1&r=2'],
])('--url-query %s', (value, path) => {
  expect(parseCurl(`curl http://s/ --url-query ${value}`).requests).toMatchObject([{ path, body: null }]);
});
