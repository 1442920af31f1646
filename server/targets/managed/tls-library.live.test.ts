/** Protects servers with another TLS library: it is loaded, alone, and proven; every directory that is not right is refused in words. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { twoSidesAndTwin } from '../../../shared/base/transport.ts';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import type { ServerName } from '../../../shared/target/server-options.ts';
import { serverTitles } from '../../../shared/target/target-words.ts';
import { runChildAtOnce } from '../../base/process/children.ts';
import { readProc } from '../../base/process/proc.ts';
import { askTarget, demandPermitted, type OpenTarget, openTarget } from '../open/open-target.ts';
import { findServers } from './find-servers.ts';
import { managedServers } from './managed-servers.ts';
import { versionInDirectory } from './tls-library.ts';

const directory = mkdtempSync(join(tmpdir(), 'tls-toll-library-'));
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const opened: Pick<OpenTarget<string>, 'stop'>[] = [];
afterEach(() => Promise.all(opened.splice(0).map(({ stop }) => stop())));

const installed = findServers().flatMap(({ name, installed: isHere }) => (isHere ? [name] : []));
const hasNginx = installed.includes('nginx');

/** Libraries by name; every directory begins as a copy of the one that nginx loads by itself. */
const libraries: Record<string, string> = {};

function copyLibrary(name: string): string {
  const path = join(directory, name);
  mkdirSync(path);
  chmodSync(path, 0o755);
  const { stdout } = runChildAtOnce('ldd', [installedAt('nginx')], { encoding: 'utf8' });
  for (const [, soname = '', file = ''] of stdout.matchAll(/(lib(?:ssl|crypto)\.so\.\d+) => (\S+)/g)) {
    copyFileSync(realpathSync(file), join(path, soname));
    chmodSync(join(path, soname), 0o644);
  }
  libraries[name] = path;
  return path;
}

function installedAt(server: ServerName): string {
  return findServers().find(({ name }) => name === server)?.path ?? '';
}

function asked(server: ServerName, library: string | null, baseline: string | null = null) {
  const side = (name: string | null) => ({ transport: 'https' as const, target: { library: name } });
  const request = runRequestSchema.parse({
    target: server,
    sides: { baseline: side(baseline), comparison: side(library) },
  });
  return askTarget(request, twoSidesAndTwin, {});
}

const house = () => ({
  ...{ dataDirectory: join(directory, 'data'), libraries, storefrontDatabaseUrl: null, chromiumPath: null },
  ...{ own: () => [], permits: async () => [] },
});

async function open(...question: Parameters<typeof asked>) {
  const target = await openTarget(asked(...question), house(), new AbortController().signal);
  opened.push(target);
  return target;
}

beforeAll(() => {
  if (hasNginx) copyLibrary('copy');
});

describe.skipIf(!hasNginx)('a server with another TLS library', () => {
  const able = installed.filter((name) => typeof managedServers[name].tls === 'string');

  test.each(able)('%s loads it on its side alone, and nothing else is different', async (name) => {
    const { listeners, server, baselineServer } = await open(name, 'copy');
    const mapped = (arm: 'baseline' | 'twin' | 'comparison') =>
      readProc(`/proc/${listeners[arm].pid}/maps`)?.includes(libraries.copy ?? '');
    expect([mapped('baseline'), mapped('twin'), mapped('comparison')]).toEqual([false, false, true]);
    expect(server?.libraryFiles).toHaveLength(2);
    expect(server?.libraryFiles).toEqual(baselineServer?.libraryFiles);
    expect(server?.tlsLibrary).toContain(versionInDirectory(libraries.copy ?? ''));
    expect(server?.witness).toEqual(baselineServer?.witness);
    expect(server?.witness?.agreed?.client).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384 X25519');
  });

  test('is one server where both sides have the same library', async () => {
    const target = await open('nginx', 'copy', 'copy');
    expect(target.baselineServer).toBeUndefined();
    expect(target.server?.libraryFiles).toHaveLength(2);
  });

  test.each(installed.filter((name) => !able.includes(name)))('%s is refused by name', async (name) => {
    await expect(demandPermitted(asked(name, 'copy'), house())).rejects.toMatchObject({
      problem: {
        code: 'invalid_request',
        detail: expect.stringMatching(
          `^${serverTitles[name]} contains its TLS library and loads no other\\.`,
        ),
        errors: [{ field: 'sides.comparison.target.library' }],
      },
    });
  });
});

describe.skipIf(!hasNginx)('a directory that is not right', () => {
  const wrong: [name: string, spoil: (path: string) => void, message: RegExp][] = [
    [
      'empty',
      (path) => rmSync(join(path, 'libssl.so.3')),
      /^The directory of “empty” contains no libssl\.so\.3, which nginx loads\.$/,
    ],
    [
      'next',
      (path) => renameSync(join(path, 'libssl.so.3'), join(path, 'libssl.so.4')),
      /^The directory of “next” contains libssl\.so\.4, but nginx loads libssl\.so\.3\./,
    ],
    [
      'foreign',
      (path) => {
        const header = Buffer.alloc(64);
        header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
        header.writeUInt16LE(243, 18);
        writeFileSync(join(path, 'libssl.so.3'), header);
      },
      /^The libssl\.so\.3 of “foreign” is a library for Linux on riscv64\./,
    ],
    [
      'text',
      (path) => writeFileSync(join(path, 'libssl.so.3'), 'x'.repeat(100)),
      /“text” is no shared library\.$/,
    ],
    ['open', (path) => chmodSync(path, 0o777), /^Others can write to the directory of “open”/],
    [
      'changeable',
      (path) => chmodSync(join(path, 'libssl.so.3'), 0o666),
      /^Others can write to the libssl\.so\.3 of “changeable”/,
    ],
  ];

  test.each(wrong)('%s', async (name, spoil, message) => {
    spoil(copyLibrary(name));
    await expect(demandPermitted(asked('nginx', name), house())).rejects.toMatchObject({
      problem: {
        code: 'invalid_request',
        detail: expect.stringMatching(message),
        errors: [{ field: 'sides.comparison.target.library' }],
      },
    });
  });

  test('a name that nobody gave a directory', async () => {
    await expect(demandPermitted(asked('nginx', '3.9'), house())).rejects.toMatchObject({
      problem: {
        detail: expect.stringMatching(/^No TLS library is called “3\.9” here, only .*TLS_TOLL_LIBSSL=3\.9=/),
      },
    });
  });

  test.skipIf(process.getuid?.() !== 0)('one that the user nobody cannot read', async () => {
    chmodSync(copyLibrary('private'), 0o700);
    await expect(demandPermitted(asked('nginx', 'private'), house())).rejects.toMatchObject({
      problem: { detail: expect.stringMatching(/^The server runs as the user nobody, who cannot read/) },
    });
  });

  test('an older library is refused in the words of the server', async () => {
    const path = copyLibrary('older');
    // It has versions of its symbols, and none of those of libssl.
    copyFileSync(join(path, 'libcrypto.so.3'), join(path, 'libssl.so.3'));
    await expect(open('nginx', 'older')).rejects.toMatchObject({
      problem: {
        code: 'server_failed',
        detail: expect.stringMatching(/^The nginx of .* did not start .* ends with: .*(?:symbol|version)/),
      },
    });
  });
});
