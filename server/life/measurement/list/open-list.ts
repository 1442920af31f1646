import type { Annotation, ShownAnnotation } from '../../../../shared/measurement/annotation.ts';
import { findAnnotation, storeAnnotationChange } from '../../database/annotations.ts';
import { listChoices } from '../../database/list-choices.ts';
import { findLine, listMeasurements, type MeasurementLine } from '../../database/list-measurements.ts';
import type { Database } from '../../database/open-database.ts';
import type { Measurements } from '../measurements.ts';
import { findKnown } from './find-known.ts';
import type { Summaries } from './open-summaries.ts';

/** Where people find measurements again, and what they wrote on them. */
export function openList(
  database: Database,
  { summariesOf }: Pick<Summaries, 'summariesOf'>,
): Pick<Measurements, 'list' | 'choices' | 'annotation' | 'annotate'> {
  const lineOf = (id: string) => findKnown(database, id, () => findLine(database, id));

  return {
    async list(filter) {
      const { lines, nextCursor } = await listMeasurements(database, filter);
      return { summaries: await summariesOf(lines), nextCursor };
    },

    choices: () => listChoices(database),

    async annotation(id) {
      return shown(await lineOf(id), await findAnnotation(database, id));
    },

    async annotate(id, change) {
      const line = await lineOf(id);
      return shown(line, await findKnown(database, id, () => storeAnnotationChange(database, id, change)));
    },
  };
}

function shown(
  { title: generatedTitle }: MeasurementLine,
  { title, note, tags }: Annotation,
): ShownAnnotation {
  return { title: title ?? generatedTitle, generatedTitle, note, tags };
}
