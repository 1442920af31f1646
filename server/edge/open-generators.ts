import { join } from 'node:path';
import type { OwnListener } from '../base/addresses/own-listeners.ts';
import { type ServedHosts, serveGeneratorHosts } from '../drive/load/hosts/generator-hosts.ts';
import { offerPods, type PodsOffer } from '../drive/load/pods/offer-pods.ts';
import { openOwnIdentity } from '../targets/own-identity.ts';
import { makeTokenFile, readTokenFile } from './commands/token-file.ts';
import type { Config } from './config.ts';

type OpenedGenerators = ServedHosts & { fingerprint: string; pods: PodsOffer | null };

/** Listens for hosts that offer their load generator; null without TLS_TOLL_GENERATORS. Throws address_in_use, invalid_environment, file_unreadable. */
export async function openGenerators(
  { generators, pods, dataDirectory }: Pick<Config, 'generators' | 'pods' | 'dataDirectory'>,
  version: string,
  own: () => readonly OwnListener[],
): Promise<OpenedGenerators | null> {
  if (generators === null) return null;
  const tokenFile = join(dataDirectory, 'generator.token');
  makeTokenFile(tokenFile, 'The token of generators');
  const token = readTokenFile(tokenFile, 'The token of generators');
  const identity = await openOwnIdentity(`${tokenFile}.pem`, 'TLS Toll generators');
  const served = await serveGeneratorHosts({ ...generators.listen, token, identity, version, own });
  const { fingerprint } = identity;
  if (pods === null) return { ...served, fingerprint, pods: null };
  const offered = {
    ...pods,
    join: placeOf(generators.at, served),
    fingerprint,
    dashboard: labelOf(fingerprint),
  };
  return { ...served, fingerprint, pods: offerPods(served, offered) };
}

/** What the `generator` command needs to join, in sentences. */
export function sayGenerators(
  { generators, dataDirectory }: Pick<Config, 'generators' | 'dataDirectory'>,
  opened: Pick<OpenedGenerators, 'fingerprint' | 'port'> | null,
): string {
  if (generators === null || opened === null) return '';
  const at = placeOf(generators.at, opened);
  return `Generators join ${at} with ${join(dataDirectory, 'generator.token')}.\nFingerprint: ${opened.fingerprint}\n`;
}

function placeOf({ host, port }: { host: string; port: number }, opened: { port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port === 0 ? opened.port : port}`;
}

/** Letters and digits only, as a cluster demands of labels. */
function labelOf(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').slice(0, 16).toLowerCase();
}
