import type { Annotation } from '../../../../shared/measurement/annotation.ts';
import { printCsvLines } from '../../../base/text/csv-lines.ts';
import { printJsonLines } from '../../../base/text/json-lines.ts';
import { printMarkdown } from '../../../base/text/report/print-markdown.ts';
import type { AnyDocument, AnyKind } from '../../../kinds/kind.ts';
import type { PrintFormat } from '../measurements.ts';

type Beside = {
  /** What was kept of it; asked only of a kind whose document does not hold it. */
  kept(): Promise<unknown[]>;
  /** What people wrote on it: a report has it, data never do. */
  annotation(): Promise<Annotation>;
};

export async function printAs<House>(
  kind: AnyKind<House>,
  document: AnyDocument,
  format: PrintFormat,
  { kept, annotation }: Beside,
): Promise<string | Uint8Array> {
  if (format === 'md') return printMarkdown(kind.report(document), await annotation());
  if (format === 'csv') return printCsvLines(kind.rows(document));
  const rows = kind.blockRows === undefined ? kind.rows(document) : kind.blockRows(document, await kept());
  if (format === 'jsonl') return printJsonLines(rows);
  const { printParquet } = await import('../../../base/text/parquet-file.ts');
  return printParquet(rows);
}
