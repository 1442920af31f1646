/** Existing files are compared by content: a checkout gives files new times without changing them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether node_modules holds what the lockfile asks for: all of it, or what it takes to build and run. npm writes down there what
 * it installed, once it is done.
 */
export function isInstalled(root, { development }) {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed) || !existsSync(join(root, 'node_modules/node/bin/node'))) return false;
  const have = packagesOf(installed);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '' || (wanted.dev === true && !development)) return true;
    // Optional packages of other platforms are left out.
    if (have[path] === undefined) return wanted.optional === true;
    return have[path].version === wanted.version && have[path].integrity === wanted.integrity;
  });
}

const sources = ['client', 'shared', 'public', 'vite.config.ts', 'vite.file.config.ts', 'package-lock.json'];
/** Output of both builds. */
const pages = ['dist/client/index.html', 'dist/file/page.html'];

/** Whether the built client is that of the sources. */
export function isBuilt(root) {
  const stamp = stampOf(root);
  return (
    pages.every((page) => existsSync(join(root, page))) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashOf(root, sources)
  );
}

export function markBuilt(root) {
  writeFileSync(stampOf(root), hashOf(root, sources));
}

/** Beside the built files, not among them: those are served. */
function stampOf(root) {
  return join(root, 'dist/client.sha256');
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

function hashOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((path) => filesBelow(root, path))) {
    const contents = readFileSync(join(root, path));
    hash.update(`${path}\n${contents.length}\n`).update(contents);
  }
  return hash.digest('hex');
}

function filesBelow(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`));
}
