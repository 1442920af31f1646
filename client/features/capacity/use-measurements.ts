import { useQuery } from '@tanstack/react-query';
import { isEncrypted } from '../../../shared/transport.ts';
import { finishedRunsQuery, recentLabsQuery } from '../../api/queries.ts';
import type { Newest } from './capacity-form.ts';

export type Measurements = Record<'lab' | 'speed' | 'run', { id: string; title: string }[]>;

/** What was measured on this server, newest first; null until it is known. */
export function useMeasurements(): { measurements: Measurements; newest: Newest } | null {
  const labs = useQuery(recentLabsQuery);
  const runs = useQuery(finishedRunsQuery);
  if (labs.isPending || runs.isPending) return null;
  const ofKind = (kind: string) =>
    (labs.data?.labs ?? [])
      .filter((lab) => lab.kind === kind && lab.state === 'finished')
      .map(({ id, title, createdAt }) => ({ id, title: `${title}, ${timeOf(createdAt)}` }));
  const measurements: Measurements = {
    lab: ofKind('handshakes'),
    speed: ofKind('speed'),
    run: (runs.data?.runs ?? [])
      .filter(({ transports: [baseline] }) => !isEncrypted(baseline))
      .map(({ id, scenario, target, createdAt }) => ({
        id,
        title: `${scenario} on ${target}, ${timeOf(createdAt)}`,
      })),
  };
  const newestOf = (name: keyof Measurements) => measurements[name][0]?.id ?? null;
  return {
    measurements,
    newest: { lab: newestOf('lab'), speed: newestOf('speed'), run: newestOf('run') },
  };
}

function timeOf(unixMs: number): string {
  return new Date(unixMs).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' });
}
