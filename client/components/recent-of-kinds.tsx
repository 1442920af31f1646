import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import { recentQuery } from '../api/queries.ts';
import { describeMeasurements } from '../format/lines.ts';
import { Section } from './card.tsx';
import { LinkList } from './links.tsx';

const most = 20;
const title = 'Recent measurements';

/** The newest measurements of some kinds; nothing while there are none. */
export function RecentOfKinds({ kinds }: { kinds: readonly KindName[] }) {
  const recent = useQueries({ queries: kinds.map((kind) => recentQuery(kind, most)) });
  const measured = recent.flatMap(({ data }) => data ?? []);
  if (measured.length === 0) return null;
  const newest = measured.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, most);
  return (
    <Section id="recent" title={title} lead={<Link to="/runs">All measurements</Link>} card="flush">
      <LinkList label={title} lines={describeMeasurements(newest)} />
    </Section>
  );
}
