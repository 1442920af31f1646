import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { exampleInWords } from '../../../shared/words/example-words.ts';
import type { AnyDocument } from '../../kinds/kind.ts';
import { addressOf } from '../measurement/list/address-of.ts';
import type { DocumentText, Measurements } from '../measurement/measurements.ts';
import { openShownTexts } from '../measurement/read/open-shown-texts.ts';
import { printAs } from '../measurement/read/print-as.ts';
import { saidOf } from '../measurement/read/said-of.ts';
import type { Example, Examples } from './open-examples.ts';
import { isUnknown } from './refuse-examples.ts';

/** How results are read, whether they were measured here or came with the program. */
export type Results = Pick<
  Measurements,
  'summary' | 'annotation' | 'readDocument' | 'readShown' | 'demandReadable' | 'print' | 'document' | 'events'
>;

/** Looks an ID up in the store, then among the examples. Lists, and whatever combines several results, read the store only. */
export function withExamples<House>(own: Results, examples: Examples<House>): Results {
  const shownText = openShownTexts();

  const either =
    <Rest extends unknown[], Answer>(
      ask: (id: string, ...rest: Rest) => Promise<Answer>,
      answer: (example: Example<House>, ...rest: Rest) => Answer | Promise<Answer>,
    ) =>
    async (id: string, ...rest: Rest): Promise<Answer> => {
      try {
        return await ask(id, ...rest);
      } catch (error) {
        const example = isUnknown(error) ? await examples.find(id) : null;
        if (example === null) throw error;
        return answer(example, ...rest);
      }
    };

  return {
    summary: either(own.summary, summaryOf),
    annotation: either(own.annotation, ({ title }) => ({
      ...{ title, generatedTitle: title, note: '', tags: [] },
    })),
    readDocument: either(own.readDocument, ({ document }) => textOf(document)),
    readShown: either(own.readShown, ({ kind, document }) => {
      const shown = (whole: AnyDocument) => ({ ...(kind.shown?.(whole) ?? whole), example: true });
      return shownText({ ...textOf(document), kind: { shown }, value: document });
    }),
    demandReadable: either(own.demandReadable, () => {}),
    print: either(own.print, async ({ kind, document }, format) => {
      const annotation = async () => ({ ...blankAnnotation, note: exampleInWords(document) });
      return {
        content: await printAs(kind, document, format, { kept: async () => [], annotation }),
        final: true,
      };
    }),
    document: either(own.document, ({ kind, document }) => ({
      ...{ kind: kind.name, document, final: true, ...saidOf(kind, document) },
    })),
    events: either(own.events, () => []),
  };
}

/** An example as an entry of a list. */
export function summaryOf<House>({ title, kind, document }: Example<House>): MeasurementSummary {
  const { id, state, createdAt, endedAt, problem } = document;
  const summary = {
    ...kind.summaryOf(document),
    ...{ id, kind: kind.name, state, createdAt, endedAt, problem },
    ...{ title, generatedTitle: title, tags: [], url: addressOf(kind, id), queuePosition: null },
  };
  return summary as unknown as MeasurementSummary;
}

function textOf(document: AnyDocument): DocumentText {
  return { text: async () => JSON.stringify(document), packed: null, final: true };
}
