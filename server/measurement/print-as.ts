import { printCsvLines } from '../text/csv-lines.ts';
import { printJsonLines } from '../text/json-lines.ts';
import { printParquet } from '../text/parquet-file.ts';
import type { AnyDocument, AnyKind } from './kind.ts';
import type { PrintFormat } from './measurements.ts';

/** @param listBlocks what was kept of it; asked only of a kind whose document does not hold it */
export async function printAs<House>(
  kind: AnyKind<House>,
  document: AnyDocument,
  format: PrintFormat,
  listBlocks: () => Promise<unknown[]>,
): Promise<string | Uint8Array> {
  if (format === 'md') return kind.markdown(document);
  if (format === 'csv') return printCsvLines(kind.rows(document));
  const rows =
    kind.blockRows === undefined ? kind.rows(document) : kind.blockRows(document, await listBlocks());
  return format === 'jsonl' ? printJsonLines(rows) : printParquet(rows);
}
