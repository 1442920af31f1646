/**
 * Before `npm pack`: the program as JavaScript in `dist/package`, laid out like the clone. Node strips no types below
 * `node_modules`, so it is done here, by Node itself: lines and columns stay where they are in the sources.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'dist/package');
/** Of what is in the rooms of the program, only the clone has a use for these. */
const left =
  /\.test\.ts$|^server\/edge\/main\.ts$|^server\/(bench|bin|testing)\/|^server\/(life\/database\/golden|method\/statistics\/reference)\/|\.md$/;
/** A module of ours by its path, in an import as well as where a thread or a process is started. */
const ownModule = /(['"`])(\.{1,2}\/[^'"`\n]+)\.ts\1/g;

rmSync(target, { recursive: true, force: true });
const files = globSync('{server,shared}/**/*.*', { cwd: root }).filter((path) => !left.test(path));
for (const path of files) write(path);
for (const built of ['dist/client', 'dist/file']) {
  cpSync(join(root, built), join(target, built), { recursive: true });
}
cpSync(join(root, 'package.json'), join(target, 'package.json'));
process.stderr.write(`Packed ${files.length} files of the program.\n`);

function write(path) {
  const to = join(target, path.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(to), { recursive: true });
  if (!path.endsWith('.ts')) return cpSync(join(root, path), to);
  // The stripper is announced as experimental, and is what runs the clone.
  const script = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'));
  writeFileSync(to, script.replace(ownModule, '$1$2.js$1'));
}
