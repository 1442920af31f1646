import { stripTypeScriptTypes } from 'node:module';

/** For tests: exported scripts are run with the few functions of their tools that they call. What was sent, in its order. */
export type Sent = { method: string; url: string; body: string | null; options: unknown };

/** The response has what extractions of the tests look for. */
const response = {
  status: 200,
  body: '{"items":[{},{"id":9}],"content=":"m1"}',
  headers: { Location: '/orders/77' },
  html: (selector: string) => ({
    first: () => ({ attr: () => (selector === 'input[name="a\\"b"]' ? 'from-input' : undefined) }),
  }),
};

export function runK6Script(text: string, environment: object = { api_token: 's3cret' }): Sent[] {
  const sent: Sent[] = [];
  const program = text
    .replace(/^import .*$/gm, '')
    .replace('export default function ()', 'return function ()');
  const http = {
    CookieJar: class {},
    request(method: string, url: string, body: string | null, options: unknown) {
      sent.push({ method, url, body, options });
      return response;
    },
  };
  const check = (subject: unknown, checks: Record<string, (r: unknown) => boolean>) =>
    Object.values(checks).map((holds) => holds(subject));
  const exec = { scenario: { iterationInTest: 0 } };
  const fail = (reason: string) => {
    throw new Error(reason);
  };
  const names = ['http', 'check', 'fail', 'sleep', 'exec', '__ENV'];
  new Function(...names, program)(http, check, fail, () => {}, exec, environment)();
  return sent;
}

type FetchOptions = { method: string; data?: string | null; headers?: Record<string, string> };

export async function runPlaywrightRequests(text: string, environment: object = {}): Promise<Sent[]> {
  const sent: Sent[] = [];
  const program = stripTypeScriptTypes(text.replace(/^import .*$/gm, ''));
  const client = {
    dispose: async () => {},
    async fetch(url: string, { method, data = null, ...options }: FetchOptions) {
      sent.push({ method, url, body: data, options });
      return {
        status: () => 200,
        text: async () => response.body,
        headers: () => ({ location: '/orders/77' }),
      };
    },
  };
  const bodies: (() => Promise<void>)[] = [];
  const test = (_name: string, body: () => Promise<void>) => bodies.push(body);
  const expect = () => ({ toBe() {}, toContain() {}, toBeDefined() {} });
  const wait = (resolve: () => void) => resolve();
  new Function('test', 'expect', 'request', 'process', 'setTimeout', program)(
    ...[test, expect, { newContext: async () => client }, { env: environment }, wait],
  );
  for (const body of bodies) await body();
  return sent;
}
