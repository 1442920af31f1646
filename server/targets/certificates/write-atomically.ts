import { open, rename, rm } from 'node:fs/promises';

/** Writes the whole file or nothing, readable by its owner only, and safe on disk before it takes the name. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'errno' in error && typeof error.code === 'string';
}
