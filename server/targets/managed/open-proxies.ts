import { problemAt } from '../../../shared/base/problem.ts';
import type { Transport } from '../../../shared/base/transport.ts';
import { meshTable, type ProxyName } from '../../../shared/kinds/mesh/options.ts';
import type { ServerKey } from '../../../shared/target/server-names.ts';
import { managedTargetSchema } from '../../../shared/target/target.ts';
import { demandInstalled, type Installed } from './find-servers.ts';
import type { Upstream } from './keeper-messages.ts';
import { managedServers } from './managed-servers.ts';
import { type OpenKept, openKept } from './open-kept.ts';

/** Proxies of this machine that pass requests on, instead of serving documents. */

type AskedProxy = {
  proxy: ProxyName;
  /** Of its certificate. */
  key: ServerKey;
  /** Whether it demands a certificate of its clients. */
  mutual: boolean;
};

type InstalledProxy = Installed & { title: string };

/** Throws server_missing, and invalid_request for a key that its TLS library cannot use. */
export function demandProxy({ proxy, key }: AskedProxy): InstalledProxy {
  const title = meshTable.proxy.labels[proxy];
  const found = demandInstalled(proxy, { server: asProxy(proxy), title });
  if (found.tls.keys.includes(key)) return { ...found, title };
  const message = `${title} ${found.version} (${found.tls.name ?? 'an unknown TLS library'}) cannot use a key of ${key}.`;
  throw problemAt('invalid_request', 'key', message);
}

/** Without the server that it would serve documents from. */
function asProxy(name: ProxyName) {
  const server = managedServers[name];
  const parts = Object.entries(server.parts).filter(([part]) => server.asProxy?.includes(part));
  return { ...server, parts: Object.fromEntries(parts) };
}

/** Starts a proxy for each arm. Throws as above, and server_failed. */
export async function openProxies<Name extends string>(
  asked: AskedProxy,
  transports: Record<Name, Transport>,
  upstreams: Record<Name, Upstream>,
  house: { dataDirectory: string },
  signal: AbortSignal,
): Promise<OpenKept<Name>> {
  const { proxy, key, mutual } = asked;
  const { paths, tls } = demandProxy(asked);
  const target = managedTargetSchema.parse({
    kind: 'managed',
    server: proxy,
    key,
    clientCertificates: mutual,
  });
  return openKept({ target, paths, groups: tls.groups, transports, upstreams }, house, signal);
}
