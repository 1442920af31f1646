import { useQuery } from '@tanstack/react-query';
import { isEncrypted } from '../../../shared/base/transport.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { recentQuery } from '../../api/queries.ts';
import type { Newest } from './capacity-form.ts';

export type Measurements = Record<'handshakes' | 'speed' | 'comparison', { id: string; title: string }[]>;

/** What was measured on this server, newest first; null until it is known. */
export function useMeasurements(): { measurements: Measurements; newest: Newest } | null {
  const handshakes = useQuery(recentQuery('handshakes', 20, 'finished'));
  const speed = useQuery(recentQuery('speed', 20, 'finished'));
  const runs = useQuery(recentQuery('comparison', 20, 'finished'));
  if (handshakes.isPending || speed.isPending || runs.isPending) return null;
  const measurements: Measurements = {
    handshakes: handshakes.data?.map(optionOf) ?? [],
    speed: speed.data?.map(optionOf) ?? [],
    comparison: runs.data?.filter(isFromHttp).map(optionOf) ?? [],
  };
  const newestOf = (name: keyof Measurements) => measurements[name][0]?.id ?? null;
  return {
    measurements,
    newest: {
      handshakes: newestOf('handshakes'),
      speed: newestOf('speed'),
      comparison: newestOf('comparison'),
    },
  };
}

function optionOf({ id, title, createdAt }: MeasurementSummary) {
  return { id, title: `${title}, ${timeOf(createdAt)}` };
}

/** Only a run whose baseline is not encrypted tells what a request costs without TLS. */
function isFromHttp(summary: MeasurementSummary): boolean {
  return summary.kind === 'comparison' && !isEncrypted(summary.sides.baseline.transport);
}

function timeOf(unixMs: number): string {
  return new Date(unixMs).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' });
}
