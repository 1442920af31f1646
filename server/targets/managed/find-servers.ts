import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { problem } from '../../../shared/base/problem.ts';
import type { FoundServer } from '../../../shared/target/server.ts';
import { type ServerName, serverNames } from '../../../shared/target/server-names.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { runChildAtOnce } from '../../base/process/children.ts';
import { kTlsObstacle } from './k-tls.ts';
import type { Command, ManagedServer, Part, Paths } from './managed-server.ts';
import { managedServers } from './managed-servers.ts';

/** Which servers this machine has. */
export function findServers(): FoundServer[] {
  return serverNames.map(describe);
}

/** Where a server's parts are. Throws server_missing, naming the packages that bring what is missing. */
export function demandInstalled(name: ServerName): { paths: Paths; version: string } {
  const server = managedServers[name];
  const { paths, missing } = locate(server);
  if (missing.length > 0) {
    const packages = missing.join(' ');
    throw problem(
      'server_missing',
      `${serverTitles[name]} needs the Debian ${missing.length === 1 ? 'package' : 'packages'} ${packages}. Run apt-get install ${packages}.`,
    );
  }
  return { paths, version: versionOf(server, paths) };
}

function describe(name: ServerName): FoundServer {
  const server = managedServers[name];
  const { paths, missing } = locate(server);
  const installed = missing.length === 0;
  return {
    ...{ name, title: serverTitles[name], installed, missing, transports: [...server.transports] },
    path: Object.values(paths)[0] ?? null,
    version: installed ? versionOf(server, paths) : null,
    kTlsObstacle: kTlsObstacle(name, server),
    packages: [...new Set(Object.values(server.parts).map((part) => part.package))],
  };
}

/** `missing` are packages. */
function locate({ parts }: ManagedServer): { paths: Paths; missing: string[] } {
  const paths: Paths = {};
  const missing = new Set<string>();
  for (const [name, part] of Object.entries(parts)) {
    const path = placesOf(part).find((place) => existsSync(place));
    if (path === undefined) missing.add(part.package);
    else paths[name] = path;
  }
  return { paths, missing: [...missing] };
}

/** Where Debian has the programs of servers; PATH leaves them out for users who are not root. */
const systemDirectories = ['/usr/sbin', '/usr/local/sbin', '/sbin', '/usr/bin', '/usr/local/bin'];

function placesOf({ program = [], file = [] }: Part): string[] {
  const directories = [...(process.env.PATH ?? '').split(delimiter), ...systemDirectories];
  return [...program.flatMap((name) => directories.map((directory) => join(directory, name))), ...file];
}

const versions = new Map<string, string>();

/** Asked once of each file: a program may be installed anew while this one runs. */
function versionOf(server: ManagedServer, paths: Paths): string {
  const command = server.versionOf(paths);
  const file = `${command.program} ${statSync(command.program).mtimeMs}`;
  const version = versions.get(file) ?? askVersion(command);
  versions.set(file, version);
  return version;
}

function askVersion({ program, args }: Command): string {
  const { stdout, stderr } = runChildAtOnce(program, args, { encoding: 'utf8', timeout: 5000 });
  return /\d+\.\d+[\w.+-]*/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown';
}
