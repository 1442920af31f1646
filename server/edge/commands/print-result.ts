import type { Annotation } from '../../../shared/measurement/annotation.ts';
import { printMarkdown } from '../../base/text/report/print-markdown.ts';
import { printTerminal } from '../../base/text/report/print-terminal.ts';
import type { AnyDocument, Kind } from '../../kinds/kind.ts';

export type Printed<Document extends AnyDocument> = Pick<
  Kind<unknown, unknown, unknown, Document, unknown>,
  'name' | 'documentSchema' | 'report'
>;

/** `link` is null where it leads nowhere once the command has ended, `title` where nobody gave one. */
export type Format<Document> =
  | 'json'
  | 'markdown'
  | 'terminal'
  | ((document: Document, beside: { link: string | null; title: string | null }) => string);

/** What is done with a result once it has ended. */
export type Ending<Document> = {
  /** What is written on it: a report has it, a document never does. */
  annotation: Annotation;
  /** Says the exit code of one that has finished. */
  judge: (document: Document) => Promise<number>;
  /** Says more of it on stderr, however it ended. */
  told: ((document: Document) => void) | null;
};

/** @param text the document as its permalink has it */
export function printResult<Document extends AnyDocument>(
  kind: Printed<Document>,
  format: Format<Document>,
  { text, document }: { text: string; document: Document },
  { link, annotation }: { link: string | null; annotation: Annotation },
): string {
  const prints = {
    json: () => `${text}\n`,
    markdown: () => printMarkdown(kind.report(document), annotation),
    terminal: () => printTerminal(kind.report(document)),
  };
  const print = typeof format === 'function' ? format : prints[format];
  return print(document, { link, title: annotation.title });
}
