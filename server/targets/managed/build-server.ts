import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problem } from '../../../shared/base/problem.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { environmentOf, runChild } from '../../base/process/children.ts';
import type { Build, ManagedServer, Paths } from './managed-server.ts';

/** A compiler without a cache of its standard library needs half a minute on two slow cores. */
const buildMs = 10 * 60_000;

const building = new Map<string, Promise<void>>();

/**
 * The paths, with that of the program which was built of the server's sources; made the first time, and again when the sources or
 * the compiler have changed. Throws server_failed with the compiler's words.
 */
export async function withBuilt(
  { name, build }: Pick<ManagedServer, 'name' | 'build'>,
  { paths, version }: { paths: Paths; version: string },
  dataDirectory: string,
): Promise<Paths> {
  if (build === undefined) return paths;
  const cache = join(dataDirectory, 'cache', 'servers');
  const sources = fileURLToPath(build.sources);
  const built = join(cache, `${name}-${fingerprintOf(sources, version)}`);
  const makes =
    building.get(built) ??
    make(build, sources, { ...paths, built }, version).finally(() => building.delete(built));
  building.set(built, makes);
  try {
    await makes;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw problem('server_failed', `${serverTitles[name]} could not be built: ${lastOf(stderr || message)}`);
  }
  return { ...paths, built };
}

/** Under another name until it is whole: it may be looked for by another process meanwhile. */
async function make(build: Build, sources: string, paths: Paths, version: string): Promise<void> {
  const { built = '' } = paths;
  if (existsSync(built)) return;
  const place = `${built}.${process.pid}`;
  const program = join(place, 'server');
  mkdirSync(place, { recursive: true });
  try {
    cpSync(sources, place, { recursive: true });
    for (const [name, text] of Object.entries(build.filesOf(version))) writeFileSync(join(place, name), text);
    const { program: compiler, args } = build.commandOf({ ...paths, built: program });
    await runChild(compiler, args, {
      timeout: buildMs,
      cwd: place,
      env: { ...environmentOf('program'), HOME: homeOr(dirname(built)), ...build.environment },
    });
    renameSync(program, built);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** A compiler keeps what it has compiled in the home directory, which a service may not have. */
function homeOr(other: string): string {
  const { HOME } = process.env;
  try {
    accessSync(HOME ?? '', constants.W_OK);
    return HOME ?? other;
  } catch {
    return other;
  }
}

function fingerprintOf(sources: string, version: string): string {
  const hash = createHash('sha256').update(version);
  for (const name of readdirSync(sources).sort()) hash.update(name).update(readFileSync(join(sources, name)));
  return hash.digest('hex').slice(0, 16);
}

function lastOf(words: string): string {
  return words.trim().replaceAll(/\s+/g, ' ').slice(-600);
}
