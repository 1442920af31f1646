import {
  chosenLine,
  recordBytes,
  type SizeFit,
  type SizeForm,
} from '../../../shared/kinds/sizes/size-line.ts';
import { fitSizeLine } from './fit-size-line.ts';
import { type SizeTable, selectSizes } from './size-table.ts';

/**
 * The study's line and, over TLS, the line with a cost per record, and which of them to use. The choice is Akaike's
 * criterion with the correction for few sizes (AICc): it needs no level of significance, and 24 sizes are few. An F test
 * of c = 0 would compare nested lines too, but at a risk that someone has to set.
 * Source: Burnham and Anderson, Model Selection and Multimodel Inference, 2002, section 2.4.
 * Null with fewer than three rounds or two sizes.
 */
export function fitSizes(table: SizeTable, { encrypted }: { encrypted: boolean }): SizeFit | null {
  const straight = fitSizeLine(table, 'straight');
  if (straight === null) return null;
  const records = encrypted ? fitSizeLine(table, 'records') : null;
  const chosen: SizeForm = records !== null && isBetter(records, straight) ? 'records' : 'straight';
  const fit: SizeFit = { straight, records, chosen, pieces: [] };
  return chosenLine(fit).refusals.length === 0 ? fit : { ...fit, pieces: piecesOf(table) };
}

type Judged = { aicc: number | null; recordUs: { center: number } | null };

function isBetter(records: Judged, straight: Judged): boolean {
  return (
    records.aicc !== null &&
    straight.aicc !== null &&
    records.aicc < straight.aicc &&
    (records.recordUs?.center ?? 0) > 0
  );
}

/** One record, and four and more, where the steps of records hardly show. */
const ranges: ((size: number) => boolean)[] = [
  (size) => size <= recordBytes,
  (size) => size >= 4 * recordBytes,
];

function piecesOf(table: SizeTable): SizeFit['pieces'] {
  return ranges.flatMap((inRange) => fitSizeLine(selectSizes(table, inRange), 'straight') ?? []);
}
