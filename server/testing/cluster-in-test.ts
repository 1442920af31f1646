import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuthority } from '../targets/certificates/certificate-authority.ts';

/** A request that arrived. */
export type AskedOfCluster = { method: string; path: string; query: URLSearchParams; body: unknown };

/** The status of the answer, and the message in its Status. */
type ScriptedRefusal = { status: number; message?: string };

export type ClusterInTest = {
  kubeconfig: string;
  asked: AskedOfCluster[];
  /** Adds an object as a controller would, for the watches that are open and the lists that follow. */
  tell(kind: 'jobs' | 'pods' | 'events', object: object, type?: 'ADDED' | 'MODIFIED' | 'DELETED'): void;
  /** Ends all watches, as servers do after a while. */
  endWatches(): void;
  close(): Promise<void>;
};

/**
 * An API server that answers as Kubernetes does, over HTTPS: lists, watches, and Status objects; what its controllers would do is up
 * to the test. `refuse` is asked first.
 */
export async function openClusterInTest(
  refuse: (asked: AskedOfCluster) => ScriptedRefusal | null = () => null,
): Promise<ClusterInTest> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-cluster-'));
  const { caPem, certPem, keyPem } = await openAuthority(directory);
  const asked: AskedOfCluster[] = [];
  const watches = new Map<ServerResponse, string>();
  const known = new Map<string, object[]>();
  // Its place is the version of the resource from which a watch goes on.
  const changes: { kind: string; line: string }[] = [];
  const server = createServer({ cert: certPem, key: keyPem }, async (request, response) => {
    const url = new URL(request.url ?? '', 'http://cluster');
    const body = await readBody(request);
    const one = { method: request.method ?? '', path: url.pathname, query: url.searchParams, body };
    asked.push(one);
    const kind = url.pathname.split('/').at(-1) ?? '';
    const refusal = refuse(one);
    if (refusal !== null) return refuseWith(response, refusal);
    if (url.searchParams.get('watch') === 'true') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      watches.set(response, kind);
      const missed = changes.slice(Number(url.searchParams.get('resourceVersion')));
      for (const change of missed) if (change.kind === kind) response.write(change.line);
      response.on('close', () => watches.delete(response));
      return;
    }
    if (one.method !== 'GET') return answer(response, { ...(body as object), metadata: metadataOf(body) });
    answer(response, {
      kind: 'List',
      metadata: { resourceVersion: `${changes.length}` },
      items: known.get(kind) ?? [],
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(directory, 'config');
  writeFileSync(kubeconfig, kubeconfigFor(`https://127.0.0.1:${port}`, { caPem }), { mode: 0o600 });
  return {
    ...{ kubeconfig, asked },
    tell(kind, object, type = 'MODIFIED') {
      known.set(kind, type === 'DELETED' ? [] : [object]);
      const line = `${JSON.stringify({ type, object })}\n`;
      changes.push({ kind, line });
      for (const [response, watched] of watches) if (watched === kind) response.write(line);
    },
    endWatches() {
      for (const response of watches.keys()) response.end();
      watches.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true });
    },
  };
}

export function kubeconfigFor(server: string, { caPem = '', context = 'test' } = {}): string {
  const trusted = { 'certificate-authority-data': Buffer.from(caPem).toString('base64') };
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': context },
    clusters: [{ name: 'test', cluster: { server, ...(caPem === '' ? {} : trusted) } }],
    users: [{ name: 'test', user: { token: 'secret' } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace: 'load' } }],
  });
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text === '' ? null : JSON.parse(text);
}

function metadataOf(body: unknown): object {
  return { ...(body as { metadata?: object } | null)?.metadata, uid: 'uid-1' };
}

function answer(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuseWith(response: ServerResponse, { status, message }: ScriptedRefusal): void {
  answer(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code: status }, status);
}
