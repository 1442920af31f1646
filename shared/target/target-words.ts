import type { ServerName } from './server-options.ts';
import type { TargetKind } from './target.ts';

/** Names of the kinds of target and of the servers, for a form that needs none of their schemas. */

export const targetLabels: Record<TargetKind, string> = {
  storefront: 'Built-in storefront',
  origins: 'Two addresses',
  managed: 'A server on this machine',
};

/** Choices of a form. */
export const targetChoices = (Object.keys(targetLabels) as TargetKind[]).map((value) => ({
  value,
  label: targetLabels[value],
}));

/** Names of the servers in their own documentation. */
export const serverTitles: Record<ServerName, string> = {
  nginx: 'nginx',
  apache: 'Apache httpd',
  lighttpd: 'lighttpd',
  caddy: 'Caddy',
  h2o: 'h2o',
  haproxy: 'HAProxy with nginx behind it',
  hitch: 'hitch with nginx behind it',
  stunnel: 'stunnel with nginx behind it',
  envoy: 'Envoy',
  go: 'Go net/http',
  jdk: 'JDK HttpServer',
  node: 'Node',
};

/** Some begin without a capital. */
export function isServerTitle(text: string): boolean {
  return Object.values(serverTitles).includes(text);
}
