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

/** The file of an example: the document of a result, and its generated title. */
export type ExampleFile<House> = {
  title: string;
  kind: AnyKind<House>;
  document: AnyDocument & z.infer<typeof framedSchema>;
};

/** The fields of every document that examples need. */
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

/** Reads any version that can be upgraded. Rejects if the file is missing or damaged, or its kind is unknown. */
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
