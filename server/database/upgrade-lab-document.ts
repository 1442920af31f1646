import { z } from 'zod';
import { type LabDocument, labDocumentSchema } from '../../shared/lab-document.ts';
import { labSchemaVersion } from '../../shared/lab-frame.ts';
import { problem } from '../../shared/problem.ts';

const versionedSchema = z.looseObject({ schemaVersion: z.int().positive() });

/** A stored document of the lab, of any version, as today's. Throws run_newer for one that a later version wrote. */
export function upgradeLabDocument(value: unknown): LabDocument {
  const { schemaVersion } = versionedSchema.parse(value);
  if (schemaVersion > labSchemaVersion) {
    throw problem(
      'run_newer',
      `The measurement is stored in schema ${schemaVersion}; this version reads up to ${labSchemaVersion}.`,
    );
  }
  return labDocumentSchema.parse(value);
}
