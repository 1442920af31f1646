import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { KindName } from '../../../shared/measurement/kind-names.ts';
import { recentQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { RecentSection } from '../../components/recent-section.tsx';
import { Section } from '../../components/section.tsx';
import { describeMeasurements } from '../../format/measurement-line.ts';
import { ServersCard } from './servers-card.tsx';
import { SizesCard } from './sizes-card.tsx';

const sweptKinds: KindName[] = ['sizes', 'servers'];
const most = 20;

export default function SweepsPage() {
  const recent = useQueries({ queries: sweptKinds.map((kind) => recentQuery(kind, most)) });
  const measured = recent.flatMap(({ data }) => data ?? []);
  const newest = measured.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, most);
  return (
    <>
      <PageHead tab="Sweeps" title="What changes the cost of HTTPS?">
        <p>Real servers over HTTP and HTTPS, with one or more settings changed.</p>
        <p>
          <Link to="/sql">Query all sweeps with SQL</Link>
        </p>
      </PageHead>
      <Section
        id="sizes"
        title="Sizes"
        lead="What HTTPS adds to a document of each size: per request, per byte, and per TLS record."
      >
        <SizesCard />
      </Section>
      <Section
        id="servers"
        title="Servers"
        lead="What the server, its key, the cipher, and connections change: at full speed, in random order, over several rounds."
      >
        <ServersCard />
      </Section>
      <RecentSection
        title="Recent sweeps"
        lines={describeMeasurements(newest)}
        all={{ href: '/runs', title: 'All measurements' }}
      />
    </>
  );
}
