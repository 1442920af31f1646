import type { Label, ShownLabel } from '../../../../shared/measurement/label.ts';
import { findLabel, storeLabelChange } from '../../database/labels.ts';
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
): Pick<Measurements, 'list' | 'choices' | 'label' | 'relabel'> {
  const lineOf = (id: string) => findKnown(database, id, () => findLine(database, id));

  return {
    async list(filter) {
      const { lines, nextCursor } = await listMeasurements(database, filter);
      return { summaries: await summariesOf(lines), nextCursor };
    },

    choices: () => listChoices(database),

    async label(id) {
      return shown(await lineOf(id), await findLabel(database, id));
    },

    async relabel(id, change) {
      const line = await lineOf(id);
      return shown(line, await findKnown(database, id, () => storeLabelChange(database, id, change)));
    },
  };
}

function shown({ title: generatedTitle }: MeasurementLine, { title, note, tags }: Label): ShownLabel {
  return { title: title ?? generatedTitle, generatedTitle, note, tags };
}
