import { chownSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LaunchOptions } from 'playwright-core';
import { environmentOf, runChild } from '../../base/process/children.ts';
import { type User, unprivilegedUser } from '../../base/process/unprivileged-user.ts';
import { executableScript } from './executable-script.ts';

type WhoBrowses = Pick<LaunchOptions, 'executablePath' | 'env' | 'chromiumSandbox'>;

const source = fileURLToPath(new URL('./start-browser.sh', import.meta.url));
/** Found with the first browser. */
let script: string | null | undefined;
const lookMs = 5_000;

/**
 * A browser opens what others wrote, so where the server is root it runs as nobody, with a profile of its own for a home.
 * Its sandbox needs namespaces, which root in a container may not have. Where `setpriv` of util-linux is missing, or the
 * program or the temporary files are where only root may enter, it runs as root still, without the sandbox.
 */
export async function whoBrowses(executablePath: string): Promise<WhoBrowses> {
  script ??= executableScript(source);
  const starter = script;
  const { HOME, ...env } = environmentOf('browser');
  const user = unprivilegedUser();
  const own = (chromiumSandbox: boolean): WhoBrowses => ({
    executablePath,
    env: { ...env, HOME },
    chromiumSandbox,
  });
  if (user === null) return own(true);
  if (starter === null || !(await reaches(user, executablePath, tmpdir()))) return own(false);
  return {
    executablePath: starter,
    env: {
      ...env,
      TMPDIR: temporaryFor(user),
      BROWSER_USER: `${user.uid}:${user.gid}`,
      BROWSER_FILE: executablePath,
    },
    chromiumSandbox: await hasNamespaces(user),
  };
}

/** For its sockets. The path is short, as that of a socket may have 107 bytes. */
function temporaryFor({ uid, gid }: User): string {
  const shared = tmpdir();
  if ((statSync(shared).mode & 0o003) === 0o003) return shared;
  const own = join(shared, 'u');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  chownSync(own, uid, gid);
  return own;
}

function reaches(user: User, ...paths: string[]): Promise<boolean> {
  return mayRun(user, ['sh', '-c', 'for path; do test -x "$path" || exit 1; done', 'sh', ...paths]);
}

/** The kernel and its seccomp profile do not change while we run. */
let namespaces: Promise<boolean> | null = null;

/** Those that Chromium's sandbox makes. */
function hasNamespaces(user: User): Promise<boolean> {
  const wanted = ['--user', '--map-root-user', '--pid', '--net', '--fork'];
  namespaces ??= mayRun(user, ['unshare', ...wanted, 'true']);
  return namespaces;
}

function mayRun({ uid, gid }: User, command: readonly string[]): Promise<boolean> {
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
  return runChild('setpriv', [...as, ...command], { timeout: lookMs }).then(
    () => true,
    () => false,
  );
}
