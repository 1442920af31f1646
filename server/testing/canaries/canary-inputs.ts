import type { ImportFormat } from '../../../shared/scenario/import.ts';
import { canaryActions } from './canary-actions.ts';
import type { CanaryInput } from './canary-input.ts';
import { type CanaryRequest, canaryRequests } from './canary-requests.ts';

/** Secrets in every place of a request and in what is typed, in every format that is imported. */
export function canaryInputs(): CanaryInput[] {
  return [...canaryRequests.flatMap((request) => writers.map((write) => write(request))), ...canaryActions()];
}

const origin = 'http://shop.example';

const writers: ((request: CanaryRequest) => CanaryInput)[] = [
  (request) => input(request, 'curl', 'curl for bash', bashLine(request)),
  (request) => input(request, 'curl', 'curl for cmd', cmdLine(request)),
  (request) => input(request, 'har', 'a HAR', har(request)),
  (request) => input(request, 'har', 'a HAR whose body is a field without a name', oddHar(request)),
  (request) => input(request, 'playwright', 'a Playwright test', playwright(request)),
  (request) => input(request, 'json', 'a scenario', scenario(request)),
];

function input(
  { what, canaries }: CanaryRequest,
  format: ImportFormat,
  as: string,
  text: string,
): CanaryInput {
  return { name: `${what} in ${as}`, format, text, canaries };
}

function bashLine({ method, path, headers, body }: CanaryRequest): string {
  const quote = (text: string) =>
    `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`;
  const options = headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const data = body === null ? [] : [`--data-raw ${quote(body)}`];
  // Without a type of its own curl sends one.
  const type = body === null || headers.length > 0 ? [] : ["-H 'Content-Type;'"];
  return ['curl', quote(origin + path), '-X', method, ...options, ...type, ...data].join(' ');
}

/** Command for cmd in Chrome's spelling. */
function cmdLine({ method, path, headers, body }: CanaryRequest): string {
  const quote = (text: string) =>
    `^"${text
      .replace(/\\/g, '\\\\')
      .replace(/"/g, '\\"')
      .replace(/[^a-zA-Z0-9\s_\-:=+~'/.,?;()*`]/g, '^$&')
      .replace(/\r?\n/g, '^\n\n')}^"`;
  const options = headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const data = body === null ? [] : [`--data-raw ${quote(body)}`];
  return ['curl', quote(origin + path), '-X', method, ...options, ...data].join(' ');
}

function har({ method, path, headers, body }: CanaryRequest): string {
  const type = headers.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  return JSON.stringify({
    log: {
      version: '1.2',
      entries: [
        {
          startedDateTime: '2026-01-02T03:04:05.000Z',
          time: 5,
          request: {
            method,
            url: origin + path,
            headers: headers.map(([name, value]) => ({ name, value })),
            ...(body === null ? {} : { postData: { mimeType: type, text: body } }),
          },
          response: {
            status: 200,
            headers: [{ name: 'Content-Type', value: 'text/html' }],
            content: { mimeType: 'text/html', text: `<p>You sent ${body ?? path}</p>` },
          },
        },
      ],
    },
  });
}

/** With a body in `params`, a status as text and a header that is null. */
function oddHar(request: CanaryRequest): string {
  const { log } = JSON.parse(har(request));
  const [entry] = log.entries;
  const { postData, headers } = entry.request;
  const length = Buffer.byteLength(request.body ?? '');
  entry.response.status = '200';
  entry.request.headers = [null, ...headers, { name: 'Content-Length', value: length }];
  if (postData !== undefined) {
    entry.request.postData = { mimeType: postData.mimeType, params: [{ name: '', value: postData.text }] };
  }
  return JSON.stringify({ log });
}

function playwright({ method, path, headers, body }: CanaryRequest): string {
  const options = JSON.stringify({
    headers: Object.fromEntries(headers),
    ...(body === null ? {} : { data: body }),
  });
  return `import { test } from '@playwright/test';
test('sends', async ({ request }) => {
  await request.${method.toLowerCase()}(${JSON.stringify(origin + path)}, ${options});
});`;
}

function scenario({ method, path, headers, body }: CanaryRequest): string {
  const step = { name: 'Send', method, path, headers: Object.fromEntries(headers) };
  return JSON.stringify({ name: 'Scenario', steps: [body === null ? step : { ...step, body }] });
}
