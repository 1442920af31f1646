import { type FileHandle, open } from 'node:fs/promises';
import type { ImportFormat, ImportReport, TrafficChoices } from '../../shared/import.ts';
import { problem } from '../../shared/problem.ts';
import { detectFormat } from '../recording/detect-format.ts';
import { importText, textLimitBytes } from '../recording/import-text.ts';
import { trafficToScenario } from '../recording/traffic-to-scenario.ts';
import { readHar } from './read-har.ts';

export type ImportFacts = { name: string; format?: ImportFormat | undefined; choices: TrafficChoices };

/** Enough to see the first keys of a document. */
const headBytes = 64 * 1024;

/**
 * Imports a file; a HAR is streamed, everything else is small. Throws file_unreadable, and import_unreadable with the
 * entry or the line.
 */
export async function importFile(path: string, facts: ImportFacts): Promise<ImportReport> {
  const file = await openFile(path);
  try {
    const format = facts.format ?? detectFormat(await readHead(file));
    if (format === 'har') return await importHar(file, facts);
    return importText(await readSmall(file), { ...facts, format });
  } finally {
    await file.close();
  }
}

async function importHar(file: FileHandle, { name, choices }: ImportFacts): Promise<ImportReport> {
  const stream = file.createReadStream({ start: 0, highWaterMark: 256 * 1024, autoClose: false });
  const { exchanges, unsupported, notes } = await readHar(stream);
  const report = trafficToScenario(exchanges, name, choices);
  return {
    format: 'har',
    actions: [],
    ...report,
    unsupported: [...unsupported, ...report.unsupported].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    notes: [...notes, ...report.notes],
  };
}

async function readHead(file: FileHandle): Promise<string> {
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  return head.toString('utf8', 0, bytesRead);
}

async function readSmall(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  if (size > textLimitBytes) {
    const limit = `${textLimitBytes / 1024 / 1024} MiB`;
    throw problem('import_unreadable', `The file is larger than ${limit}, and only a HAR may be.`);
  }
  return file.readFile('utf8');
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
  throw problem('file_unreadable', `${path} is no file.`);
}
