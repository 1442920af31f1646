import { join } from 'node:path';
import type { OwnListener } from '../base/addresses/own-listeners.ts';
import { type ServedHosts, serveGeneratorHosts } from '../drive/load/hosts/generator-hosts.ts';
import { openOwnIdentity } from '../targets/own-identity.ts';
import { makeTokenFile, readTokenFile } from './commands/token-file.ts';
import type { Config } from './config.ts';

type OpenedGenerators = ServedHosts & { fingerprint: string };

/** Listens for hosts that offer their load generator; null where nobody asked for that. Throws address_in_use, invalid_environment, file_unreadable. */
export async function openGenerators(
  { generators, dataDirectory }: Pick<Config, 'generators' | 'dataDirectory'>,
  version: string,
  own: () => readonly OwnListener[],
): Promise<OpenedGenerators | null> {
  if (generators === null) return null;
  const tokenFile = join(dataDirectory, 'generator.token');
  makeTokenFile(tokenFile, 'The token of generators');
  const token = readTokenFile(tokenFile, 'The token of generators');
  const identity = await openOwnIdentity(`${tokenFile}.pem`, 'TLS Toll generators');
  const served = await serveGeneratorHosts({ ...generators.listen, token, identity, version, own });
  return { ...served, fingerprint: identity.fingerprint };
}

/** As the command that joins it needs them. */
export function sayGenerators(
  { generators, dataDirectory }: Pick<Config, 'generators' | 'dataDirectory'>,
  opened: Pick<OpenedGenerators, 'fingerprint' | 'port'> | null,
): string {
  if (generators === null || opened === null) return '';
  const { host, port } = generators.at;
  const at = `${host.includes(':') ? `[${host}]` : host}:${port === 0 ? opened.port : port}`;
  return `Generators join ${at} with ${join(dataDirectory, 'generator.token')}.\nFingerprint: ${opened.fingerprint}\n`;
}
