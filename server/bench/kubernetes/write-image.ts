import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Image = {
  /** As pods name it, with its tag. */
  name: string;
  /** A directory that becomes its only layer. */
  root: string;
  entrypoint: readonly string[];
  environment?: readonly string[];
};

/** An archive as `docker save` writes it, of one layer: no registry and no container engine takes part. */
export function writeImage({ name, root, entrypoint, environment = [] }: Image, file: string): void {
  const making = `${file}.making`;
  mkdirSync(making);
  pack(root, join(making, 'layer.tar'));
  const config = JSON.stringify({
    ...{ architecture: process.arch === 'x64' ? 'amd64' : process.arch, os: 'linux' },
    config: { Entrypoint: entrypoint, Env: environment },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(readFileSync(join(making, 'layer.tar')))}`] },
  });
  const configName = `${sha256(config)}.json`;
  writeFileSync(join(making, configName), config);
  const manifest = [{ Config: configName, RepoTags: [name], Layers: ['layer.tar'] }];
  writeFileSync(join(making, 'manifest.json'), JSON.stringify(manifest));
  pack(making, file);
  rmSync(making, { recursive: true });
}

function pack(directory: string, file: string): void {
  execFileSync('tar', ['--owner=0', '--group=0', '--numeric-owner', '-C', directory, '-cf', file, '.']);
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
