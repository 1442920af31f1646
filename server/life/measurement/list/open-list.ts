import type { Annotation, ShownAnnotation } from '../../../../shared/measurement/annotation.ts';
import type { MeasurementState } from '../../../../shared/measurement/measurement.ts';
import { findAnnotation, storeAnnotationChange } from '../../database/annotations.ts';
import { listAttempts } from '../../database/list-attempts.ts';
import { listChoices } from '../../database/list-choices.ts';
import { findLine, listMeasurements, type MeasurementLine } from '../../database/list-measurements.ts';
import { hashText } from '../create/hash-text.ts';
import { parseRequest } from '../create/parse-request.ts';
import type { Given } from '../given.ts';
import type { Measurements } from '../measurements.ts';
import { addressOf } from './address-of.ts';
import { findKnown } from './find-known.ts';

/** Where people find measurements again, and what they wrote on them. */
export function openList<House>({
  database,
  kindOf,
  summaries: { summariesOf },
}: Pick<Given<House>, 'database' | 'kindOf' | 'summaries'>): Pick<
  Measurements,
  'list' | 'ofRequest' | 'choices' | 'annotation' | 'annotate'
> {
  const lineOf = (id: string) => findKnown(database, id, () => findLine(database, id));

  return {
    async list(filter) {
      const { page, nextCursor } = await listMeasurements(database, filter);
      return { summaries: await summariesOf(page), nextCursor };
    },

    async ofRequest(name, body) {
      const kind = kindOf(name);
      const { request } = parseRequest(kind.requestSchema, body);
      const attempts = await listAttempts(database, hashText(JSON.stringify(request)));
      return attempts.map((attempt) => ({
        ...attempt,
        url: addressOf(kind, attempt.id),
        resumes: kind.resumable === true && endedEarly.has(attempt.state),
      }));
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

const endedEarly = new Set<MeasurementState>(['incomplete', 'interrupted', 'failed']);

function shown(
  { title: generatedTitle }: MeasurementLine,
  { title, note, tags }: Annotation,
): ShownAnnotation {
  return { title: title ?? generatedTitle, generatedTitle, note, tags };
}
