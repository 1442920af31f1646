/** Protects single entries of a HAR from programs other than browsers: taken as they were sent, or left out with a reason. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a variable
import { expect, test } from 'vitest';
import { readHarEntry } from './har-entries.ts';

type Request = { method?: string; url?: string; headers?: object[]; postData?: object };

const post = (postData: object, headers: object[] = []) => read({ method: 'POST', headers, postData });

function read(request: Request, rest: object = {}) {
  return readHarEntry(
    {
      startedDateTime: '2026-01-01T00:00:00Z',
      request: { method: 'GET', url: 'http://shop.example/', headers: [], ...request },
      response: { status: 200, headers: [], content: {} },
      ...rest,
    },
    1,
  );
}

test('The type of posted data is the content type where the header is missing', () => {
  const json = { mimeType: 'application/json', text: '{}' };
  expect(post(json)).toMatchObject({
    exchange: { requestBody: '{}', requestHeaders: [['content-type', 'application/json']] },
  });
  const headers = [{ name: 'Content-Type', value: 'text/plain' }];
  expect(post(json, headers)).toMatchObject({
    exchange: { requestHeaders: [['Content-Type', 'text/plain']] },
  });
});

test('A header that was sent twice stays twice', () => {
  const headers = ['1', '2'].map((value) => ({ name: 'X-A', value }));
  expect(read({ headers })).toMatchObject({
    exchange: {
      requestHeaders: [
        ['X-A', '1'],
        ['X-A', '2'],
      ],
    },
  });
});

test('A body in base64 is its text', () => {
  const text = '{"q":"caffè ☕"}';
  const encoded = Buffer.from(text).toString('base64');
  expect(post({ mimeType: 'application/json', text: encoded, encoding: 'base64' })).toMatchObject({
    exchange: { requestBody: text },
  });
  const content = { mimeType: 'application/json', text: encoded, encoding: 'base64' };
  expect(read({}, { response: { status: 200, headers: [], content } })).toMatchObject({
    exchange: { responseBody: text },
  });
});

test('What a scenario would read as a variable is text, wherever it stands', () => {
  const url = 'http://shop.example/${a}?q=${secret:b}';
  const headers = [{ name: 'x-a', value: '${c}' }];
  expect(read({ method: 'POST', url, headers, postData: { text: 'd=${d}' } })).toMatchObject({
    exchange: {
      path: '/$${a}?q=$${secret:b}',
      requestHeaders: [['x-a', '$${c}']],
      requestBody: 'd=$${d}',
    },
  });
});

test.each([
  ['http://shop.example/a"b|c?q=<x>&r=[1]#top', '/a"b|c?q=<x>&r=[1]'],
  ['http://shop.example/a/../b', '/a/../b'],
  ['http://shop.example?x=1', '/?x=1'],
  ['http://shop.example', '/'],
  ['http://shop.example/ä?q=a b', '/%C3%A4?q=a%20b'],
])('The path of %s is sent as it was', (url, path) => {
  expect(read({ url })).toMatchObject({ exchange: { path } });
});

test('An entry without time or response is taken, and says so', () => {
  expect(read({}, { startedDateTime: undefined, response: undefined })).toMatchObject({
    isTimed: false,
    isAnswered: false,
    exchange: { status: 200, responseBody: null },
  });
});

const file = (value: string) =>
  `--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n--x--\r\n`;
const multipart = 'multipart/form-data; boundary=x';

test.each([
  [
    { mimeType: multipart, params: [{ name: 'a', value: '1' }] },
    'of type multipart/form-data whose text was not recorded',
  ],
  [
    { mimeType: 'text/plain', params: [{ name: 'a', value: '1' }] },
    'of type text/plain whose text was not recorded',
  ],
  [{ mimeType: multipart, params: [{ name: 'a', fileName: 'a.png' }] }, 'uploads a file'],
  [{ mimeType: multipart, text: file('') }, 'uploads a file'],
  [{ mimeType: multipart, text: '--y\r\n' }, 'that was not recorded as it was sent'],
  [{ mimeType: 'application/json', text: '/w==', encoding: 'base64' }, 'a binary body'],
])('%j is left out with its reason', (postData, reason) => {
  expect(post(postData)).toEqual({ reason: expect.stringContaining(reason) });
});

test('A multipart form whose text was recorded is sent as it is, with what is in its files', () => {
  expect(post({ mimeType: multipart, text: file('hello') })).toMatchObject({
    exchange: { requestBody: file('hello'), requestHeaders: [['content-type', multipart]] },
  });
});

test('A method in lower case is another method', () => {
  expect(read({ method: 'patch' })).toEqual({ reason: 'uses the unsupported method patch' });
});

const length = (value: string) => [{ name: 'Content-Length', value }];
const text = { mimeType: 'text/plain', text: 'ä' };

test.each<[object, object, string]>([
  [{ headers: length('12') }, {}, 'a body of 12 bytes that was not recorded'],
  [{ bodySize: 12 }, {}, 'a body of 12 bytes that was not recorded'],
  [{ headers: length('12'), postData: text }, {}, 'a body of 12 bytes, but the HAR has one of 2'],
  [{ headers: [{ name: 'content-encoding', value: 'gzip' }], postData: text }, {}, 'a compressed body'],
  [{ postData: { ...text, text: '\ud800' } }, {}, 'a binary body'],
  [{}, { _fromCache: 'memory' }, 'came from the browser cache, so nothing was sent'],
  [{}, { _fetchedViaServiceWorker: true }, 'by a service worker of the page'],
  [{}, { _wasFulfilled: true }, 'answered by the recording test'],
  [{}, { _wasAborted: true }, 'stopped by the recording test'],
])('%j of %j is left out, because a run would send something else', (request, rest, reason) => {
  expect(read({ method: 'POST', ...request }, rest)).toEqual({ reason: expect.stringContaining(reason) });
});

test('Entries without a body or with its right length are imported', () => {
  expect(read({ method: 'POST', headers: length('2'), postData: text })).toMatchObject({
    exchange: { requestBody: 'ä' },
  });
  for (const request of [{ headers: length('0') }, { bodySize: -1 }, { bodySize: 0 }])
    expect(read({ method: 'POST', ...request })).toMatchObject({ exchange: { requestBody: null } });
});
