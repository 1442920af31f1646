import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { environmentSchema } from '../../../shared/base/environment.ts';
import { permalinkIdSchema, unixMillisSchema } from '../../../shared/base/units.ts';
import type { AnyDocument, AnyKind } from '../../kinds/kind.ts';
import { upgradeDocument } from '../measurement/read/upgrade-document.ts';
import type { ExampleName } from './example-list.ts';

/** A result that came with the program, in a file of its own: its document, and the title that its kind gave it. */
export type ExampleFile<House> = {
  title: string;
  kind: AnyKind<House>;
  document: AnyDocument & z.infer<typeof framedSchema>;
};

/** What every document has, as far as examples are told apart by it. */
const framedSchema = z.looseObject({
  id: permalinkIdSchema,
  kind: z.string(),
  createdAt: unixMillisSchema,
  endedAt: unixMillisSchema.nullable(),
  environment: environmentSchema,
});

const fileSchema = z.strictObject({ title: z.string(), document: framedSchema });

const shipped = fileURLToPath(new URL('./shipped/', import.meta.url));

export function pathOfExample(name: ExampleName, directory = shipped): string {
  return join(directory, `${name}.json.gz`);
}

/** Of any version that can be upgraded. Rejects for a file that is missing, damaged, or of no kind that is known. */
export async function readExample<House>(
  kinds: readonly AnyKind<House>[],
  path: string,
): Promise<ExampleFile<House>> {
  const text = String(await promisify(gunzip)(await readFile(path)));
  const { title, document } = fileSchema.parse(JSON.parse(text));
  const kind = kinds.find(({ name }) => name === document.kind);
  if (kind === undefined) throw new Error(`There is no kind ${document.kind}.`);
  return { title, kind, document: { ...framedSchema.parse(document), ...upgradeDocument(kind, document) } };
}
