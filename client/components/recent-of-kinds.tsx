import { useQueries } from '@tanstack/react-query';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { recentQuery } from '../api/queries.ts';
import { describeMeasurements } from '../format/measurement-line.ts';
import { RecentSection } from './recent-section.tsx';

const most = 20;

/** The newest measurements of some kinds. */
export function RecentOfKinds({ kinds }: { kinds: readonly KindName[] }) {
  const recent = useQueries({ queries: kinds.map((kind) => recentQuery(kind, most)) });
  const measured = recent.flatMap(({ data }) => data ?? []);
  const newest = measured.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, most);
  return (
    <RecentSection
      title="Recent measurements"
      lines={describeMeasurements(newest)}
      all={{ href: '/runs', title: 'All measurements' }}
    />
  );
}
