import { z } from 'zod';
import { problem } from '../../../../shared/base/problem.ts';
import type { AnyDocument, Kind } from '../../../kinds/kind.ts';

const versionedSchema = z.looseObject({ schemaVersion: z.int().positive() });

type Versioned<Document extends AnyDocument> = Pick<
  Kind<unknown, unknown, unknown, Document, unknown>,
  'name' | 'documentVersion' | 'upgraders' | 'documentSchema'
>;

/** A stored document of any version, as today's. Throws run_newer for one that a later version wrote, run_older for one that cannot be read. */
export function upgradeDocument<Document extends AnyDocument>(
  { name, documentVersion, upgraders, documentSchema }: Versioned<Document>,
  value: unknown,
): Document {
  let document: Record<string, unknown> & { schemaVersion: number } = versionedSchema.parse(value);
  if (document.schemaVersion > documentVersion) {
    throw problem(
      'run_newer',
      `It uses schema ${document.schemaVersion}. This version reads schemas up to ${documentVersion}.`,
    );
  }
  for (let version = document.schemaVersion; version < documentVersion; version++) {
    const upgrade = upgraders[version];
    if (upgrade === undefined) throw new Error(`${name} has no upgrade from schema ${version}`);
    document = { ...upgrade(document), schemaVersion: version + 1 };
  }
  const parsed = documentSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  const part = parsed.error.issues[0]?.path.join('.') || 'document';
  throw problem('run_older', `This version cannot read its “${part}”.`, { cause: parsed.error });
}
