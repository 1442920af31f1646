import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { problem } from '../../../../shared/base/problem.ts';
import { runChildAtOnce } from '../../../base/process/children.ts';

type Valgrind = { version: string; path: string; vgdb: string };

/** Throws valgrind_missing. */
export function demandValgrind(): Valgrind {
  const directories = (process.env.PATH ?? '').split(delimiter);
  const path = directories.map((each) => join(each, 'valgrind')).find((each) => existsSync(each));
  const vgdb = path === undefined ? '' : join(dirname(path), 'vgdb');
  const said = path === undefined ? null : runChildAtOnce(path, ['--version'], versionOptions);
  const version = /^valgrind-(\S+)/.exec(said?.stdout ?? '')?.[1];
  if (path === undefined || version === undefined || !existsSync(vgdb)) {
    throw problem(
      'valgrind_missing',
      'Valgrind was not found. It counts instructions. Install it: apt install valgrind (Debian, Ubuntu).',
    );
  }
  return { version, path, vgdb };
}

const versionOptions = { encoding: 'utf8', timeout: 10_000 } as const;
