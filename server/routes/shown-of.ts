import type { Response } from 'express';
import type { KindName } from '../../shared/measurement.ts';
import type { RunDocument } from '../../shared/run.ts';
import { shownRunOf } from '../../shared/shown-run.ts';
import type { Measurements } from '../measurement/measurements.ts';
import { sendDocument, sendText } from './send-text.ts';

const run: KindName = 'comparison';

/** What a page shows of a document. Of other kinds that is all of it. */
export function shownOf(kind: string, document: object): object {
  return kind === run ? shownRunOf(document as RunDocument) : document;
}

/** The same as the answer to a request; where all of it is shown, as it is stored. */
export async function sendPage(response: Response, id: string, all: Measurements): Promise<void> {
  const whole = await all.readDocument(id);
  const { kind } = await all.summary(id);
  if (kind !== run) return sendDocument(response, id, whole);
  const content = JSON.stringify(shownOf(kind, JSON.parse(await whole.text())));
  await sendText(response, { id, format: 'json', content, final: whole.final });
}
