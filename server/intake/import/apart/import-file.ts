import { type FileHandle, open } from 'node:fs/promises';
import { problem } from '../../../../shared/base/problem.ts';
import type { ImportReport } from '../../../../shared/scenario/import.ts';
import type { ImportFacts } from '../import-stream.ts';
import { importApart } from './import-apart.ts';

/** Imports a file. Throws file_unreadable, and import_unreadable with the entry or the line. */
export async function importFile(path: string, facts: ImportFacts): Promise<ImportReport> {
  const file = await openFile(path);
  try {
    return await importApart(file.createReadStream({ highWaterMark: 256 * 1024, autoClose: false }), facts);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'r');
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw problem(
      'file_unreadable',
      `${path} could not be read: ${error instanceof Error ? error.message : error}.`,
    );
  }
  throw problem('file_unreadable', `${path} is not a file.`);
}
