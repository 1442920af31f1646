import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders as Http2Headers } from 'node:http2';
import { request as requestSecure } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { schemeOf, transportFacts } from '../../shared/base/transport.ts';
import type { Listener } from '../../shared/target/target.ts';

/** One request of a test on a connection of its own, over the listener's transport and with its checks. */
type Question = {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
};

type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export function ask(listener: Listener, question: Question): Promise<Reply> {
  return transportFacts[listener.transport].httpVersion === '2'
    ? askOverHttp2(listener, question)
    : askOverHttp1(listener, question);
}

function askOverHttp1(listener: Listener, question: Question): Promise<Reply> {
  const { address: host, port, hostname, ca, transport } = listener;
  const { path, method = 'GET', body } = question;
  const headers = { host: `${hostname}:${port}`, ...question.headers };
  const common = { host, port, path, method, headers, agent: false };
  return new Promise((resolve, reject) => {
    const request =
      transport === 'https'
        ? requestSecure({ ...common, servername: hostname, ...(ca === null ? {} : { ca }) })
        : requestPlain(common);
    request.on('error', reject);
    request.on('response', (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.end(body);
  });
}

function askOverHttp2(listener: Listener, { path, method = 'GET', headers, body }: Question): Promise<Reply> {
  const { address, port, hostname, ca, transport } = listener;
  const session = connectHttp2(`${schemeOf(transport)}://${address}:${port}`, {
    servername: hostname,
    ...(ca === null ? {} : { ca }),
  });
  return new Promise<Reply>((resolve, reject) => {
    session.on('error', reject);
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const stream = session.request(
      { ':method': method, ':path': path, ':authority': `${hostname}:${port}`, ...headers, ...length },
      { endStream: false },
    );
    stream.on('error', reject);
    stream.on('response', ({ ':status': status = 0, ...fields }: Http2Headers & { ':status'?: number }) => {
      buffer(stream).then((body) => resolve({ status, headers: { ...fields }, body }), reject);
    });
    stream.end(body);
  }).finally(() => session.destroy());
}

export function askForm(listener: Listener, body: string): Promise<Reply> {
  return ask(listener, {
    method: 'POST',
    path: '/search',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
}
