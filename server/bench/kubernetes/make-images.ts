import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeImage } from './write-image.ts';

const clone = fileURLToPath(new URL('../../..', import.meta.url));
const node = '/usr/local/bin/node';
const program = '/app/node_modules/tls-toll/server/bin/tls-toll.mjs';

/** Archives of images, as nodes import them. */
export type Images = { pause: string; product: string };

export const pauseName = 'tls-toll/pause:1';
export const productName = 'tls-toll/bench:1';

/** The packed product with the pinned Node and the libraries that it is linked to; nothing else is in it. */
export function makeImages(directory: string, binaries: string): Images {
  const images = { pause: join(directory, 'pause.tar'), product: join(directory, 'product.tar') };
  const pauseRoot = join(directory, 'pause-root');
  mkdirSync(pauseRoot, { recursive: true });
  cpSync(join(binaries, 'pause'), join(pauseRoot, 'pause'));
  writeImage({ name: pauseName, root: pauseRoot, entrypoint: ['/pause'] }, images.pause);
  const root = join(directory, 'product-root');
  mkdirSync(join(root, 'tmp'), { recursive: true, mode: 0o1777 });
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc', 'passwd'), 'node:x:1000:1000::/tmp:/bin/false\n');
  installPackage(join(root, 'app'));
  copyNode(root);
  writeImage(
    {
      name: productName,
      root,
      entrypoint: [node, program],
      environment: ['HOME=/tmp', 'TLS_TOLL_DATA=/tmp/data'],
    },
    images.product,
  );
  rmSync(root, { recursive: true });
  rmSync(pauseRoot, { recursive: true });
  return images;
}

/** As users install it. */
function installPackage(into: string): void {
  mkdirSync(into);
  const quiet: ExecFileSyncOptionsWithStringEncoding = {
    ...{ cwd: clone, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  };
  execFileSync(process.execPath, [join(clone, 'server/bin/pack.mjs')], quiet);
  const packed = execFileSync(
    'npm',
    ['pack', './dist/package', '--silent', '--pack-destination', into],
    quiet,
  );
  const archive = join(into, basename(packed.trim()));
  execFileSync(
    'npm',
    ['install', '--prefix', into, '--no-audit', '--no-fund', '--prefer-offline', archive],
    quiet,
  );
  rmSync(archive);
  // The Node that it brings along is the one that the image has already.
  const brought = join(into, 'node_modules', 'node');
  for (const part of ['bin', 'node_modules']) rmSync(join(brought, part), { recursive: true, force: true });
  mkdirSync(join(brought, 'bin'));
  symlinkSync(node, join(brought, 'bin', 'node'));
}

/** A program with what the loader would load for it. */
function copyNode(root: string): void {
  const to = join(root, node);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(process.execPath, to);
  const listed = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  for (const [, path = ''] of listed.matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
}
