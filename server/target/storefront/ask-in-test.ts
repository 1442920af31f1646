import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Listener } from '../../../shared/target.ts';

/** One request of a test on a connection of its own, over the listener's transport and with its checks. */
export type Question = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer };

export function ask(listener: Listener, question: Question): Promise<Reply> {
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
    request.on('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    request.end(body);
  });
}

export function askForm(listener: Listener, body: string): Promise<Reply> {
  return ask(listener, {
    method: 'POST',
    path: '/search',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
}
