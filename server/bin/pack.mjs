/**
 * Before `npm pack`: the program as JavaScript in `dist/package`, laid out like the clone. Node strips no types below
 * `node_modules`, so it is done here, by Node itself: lines and columns stay where they are in the sources. It asks for the packages
 * that it names, which those of the built client are not.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'dist/package');
const launcher = 'server/bin/tls-toll.mjs';
/** Files in the program's rooms that only the clone uses. */
const left =
  /\.test\.ts$|^server\/edge\/main\.ts$|^server\/(bench|bin|testing)\/|^server\/(life\/database\/golden|method\/\w+\/reference)\/|\.md$/;
/** A module of ours by its path, in an import as well as where a thread or a process is started. */
const ownModule = /(['"`])(\.{1,2}\/[^'"`\n]+)\.ts\1/g;

rmSync(target, { recursive: true, force: true });
const files = globSync('{server,shared}/**/*.*', { cwd: root }).filter((path) => !left.test(path));
for (const path of files) write(path);
for (const path of ['dist/client', 'dist/file', launcher, 'README.md', 'LICENSE', 'CHANGELOG.md']) {
  cpSync(join(root, path), join(target, path), { recursive: true });
}
writeFileSync(join(target, 'package.json'), JSON.stringify(manifest(), null, 2));
process.stderr.write(`Packed ${files.length} files of the program.\n`);

/** That of the clone, without what is done in one. */
function manifest() {
  const { scripts, devDependencies, overrides, ...all } = readPackage(root);
  const texts = [...files, launcher].map((path) => readFileSync(join(root, path), 'utf8'));
  const names = Object.keys(all.dependencies).filter((name) =>
    texts.some((text) => new RegExp(`['\`]${name}['\`/]`).test(text)),
  );
  const wanted = new Set([...names, ...names.flatMap(peersOf)]);
  const dependencies = Object.entries(all.dependencies).filter(([name]) => wanted.has(name));
  return { ...all, dependencies: Object.fromEntries(dependencies) };
}

function peersOf(name) {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = readPackage(join(root, 'node_modules', name));
  return Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
}

function readPackage(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

function write(path) {
  const to = join(target, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(to), { recursive: true });
  if (!path.endsWith('.ts')) return cpSync(join(root, path), to);
  // The stripper is announced as experimental, and is what runs the clone.
  const script = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'));
  writeFileSync(to, script.replace(ownModule, '$1$2.js$1'));
}
