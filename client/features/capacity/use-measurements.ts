import { useQueries } from '@tanstack/react-query';
import { isEncrypted } from '../../../shared/base/transport.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { recentQuery } from '../../api/queries.ts';
import { type MeasuredName, measuredNames, type Newest } from './capacity-form.ts';

export type Measurements = Record<MeasuredName, { id: string; title: string }[]>;

/** What was measured on this server, newest first; null until it is known. */
export function useMeasurements(): { measurements: Measurements; newest: Newest } | null {
  const lists = useQueries({ queries: measuredNames.map((name) => recentQuery(name, 20, 'finished')) });
  if (lists.some(({ isPending }) => isPending)) return null;
  const options = lists.map(({ data = [] }) => data.filter(tells).map(optionOf));
  const byName = <Value>(of: (place: number) => Value) =>
    Object.fromEntries(measuredNames.map((name, place) => [name, of(place)])) as Record<MeasuredName, Value>;
  return {
    measurements: byName((place) => options[place] ?? []),
    newest: byName((place) => options[place]?.[0]?.id ?? null),
  };
}

function optionOf({ id, title, createdAt }: MeasurementSummary) {
  return { id, title: `${title}, ${timeOf(createdAt)}` };
}

/** Of runs, only one whose baseline is not encrypted tells what a request costs without TLS. */
function tells(summary: MeasurementSummary): boolean {
  return summary.kind !== 'comparison' || !isEncrypted(summary.sides.baseline.transport);
}

function timeOf(unixMs: number): string {
  return new Date(unixMs).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' });
}
