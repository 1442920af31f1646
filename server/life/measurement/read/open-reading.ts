import { isOver } from '../../../../shared/measurement/measurement.ts';
import { findAnnotation } from '../../database/annotations.ts';
import { findLabels } from '../../database/assignments.ts';
import { listEvents } from '../../database/events.ts';
import { findState } from '../../database/measurements.ts';
import { hashText } from '../create/hash-text.ts';
import { findKnown } from '../list/find-known.ts';
import type { Measurements } from '../measurements.ts';
import { told } from '../run/event-log.ts';
import { withEnd } from '../run/with-end.ts';
import { openShownTexts } from './open-shown-texts.ts';
import { printAs } from './print-as.ts';
import { readBlocks } from './read-blocks.ts';
import { readChanges } from './read-changes.ts';
import { parseNow, type Readable, readKept, readNow } from './read-now.ts';
import { saidOf } from './said-of.ts';

type Parts<House> = Readable<House> & { list: Pick<Measurements, 'annotation'> };

/** Everything that can be read of one measurement, over or not. */
export function openReading<House>({ list, ...readable }: Parts<House>) {
  const { database, lives, kindOf } = readable;
  const shownText = openShownTexts();

  return {
    async readDocument(id) {
      const { text, packed, final } = await readNow(readable, id);
      return { text, packed, final };
    },

    readShown: async (id) => shownText(await readNow(readable, id)),

    async demandReadable(id) {
      if (lives.of(id) === undefined) await readNow(readable, id);
    },

    async print(id, format) {
      const { kind, document, final } = await parseNow(readable, id);
      const kept = () => readBlocks(database, kind, id);
      const annotation = () => findAnnotation(database, id);
      return { content: await printAs(kind, document, format, { kept, annotation }), final };
    },

    async document(id) {
      const { kind, ...rest } = await parseNow(readable, id);
      return { ...rest, kind: kind.name, ...saidOf(kind, rest.document) };
    },

    changes(pair) {
      const document = (id: string) => parseNow(readable, id);
      return readChanges({ document, titleOf: async (id) => (await list.annotation(id)).title }, pair);
    },

    kept: (id) => readKept(readable, id),

    async asked(id) {
      const { kind, frame, facts } = await readKept(readable, id);
      const { generatedTitle: title, tags } = await list.annotation(id);
      const secrets = kindOf(kind).secretsOf(frame.request, facts);
      const labels = await findLabels(database, id);
      const requestHash = hashText(JSON.stringify(frame.request));
      return { kind, request: frame.request, requestHash, secrets, title, tags, labels };
    },

    async events(id, afterId) {
      const { state } = await findKnown(database, id, () => findState(database, id));
      const events = await listEvents(database, id, afterId);
      // Who has read as far as the log goes has had its end, if it was told at all.
      if (events.length === 0 && afterId > 0) return [];
      // One that was resumed meanwhile has no end: whoever asks again follows it.
      return (isOver(state) ? withEnd(events, state, afterId) : events).map(told);
    },
  } satisfies Partial<Measurements>;
}
