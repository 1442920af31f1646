import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL of its own for tests, on a Unix socket in a temporary directory. Only where its binaries are installed. */
export type PostgresCluster = {
  /** URL of a superuser, who needs no password. */
  url: string;
  /** PID of the shell above its first processes. */
  pid: number;
  /** Ends at once, with every session, as when its machine loses power. */
  crash(): Promise<void>;
  /** On the same data; resolves when it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const debianHome = '/usr/lib/postgresql';

/** The directory of the newest `initdb`, or null. */
export function findPostgres(): string | null {
  if (!existsSync(debianHome)) return null;
  const versions = readdirSync(debianHome).toSorted((a, b) => Number(b) - Number(a));
  return (
    versions
      .map((version) => join(debianHome, version, 'bin'))
      .find((bin) => existsSync(join(bin, 'initdb'))) ?? null
  );
}

/** The shell ends the server when this process does, as its standard input closes then. */
const untilClosed = '"$@" & server=$!; cat > /dev/null; kill -QUIT $server; wait $server';

/** @param disposable whether its directory is removed with the server, for one that only the end of this process stops */
export async function startPostgres(bin: string, disposable = false): Promise<PostgresCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-pg-'));
  const owner = ownerFor(directory);
  const data = join(directory, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'toll', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    {
      ...owner,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const url = `postgresql://toll@/postgres?host=${directory}`;
  const script = disposable ? `${untilClosed}; rm -rf ${directory}` : untilClosed;
  const start = () =>
    spawn('sh', ['-c', script, 'sh', join(bin, 'postgres'), '-D', data, '-k', directory, '-h', '', '-F'], {
      ...owner,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  let server = start();
  const crash = async () => {
    if (server.exitCode !== null) return;
    const exited = once(server, 'exit');
    server.stdin.end();
    await exited;
  };
  await untilItAnswers(url);
  return {
    url,
    pid: server.pid ?? 0,
    crash,
    async restart() {
      await crash();
      server = start();
      await untilItAnswers(url);
    },
    async stop() {
      await crash();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function ownerFor(directory: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout),
  );
  if (uid === undefined || gid === undefined) return {};
  chownSync(directory, uid, gid);
  return { uid, gid };
}

async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempt === 200) throw error;
      await pause(50);
    }
  }
}
