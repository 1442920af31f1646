import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { KindName } from '../../../shared/measurement.ts';
import { recentQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentSection } from '../../components/recent-section.tsx';
import { Section } from '../../components/section.tsx';
import { describeMeasurements } from '../../format/measurement-line.ts';
import { LabCard } from './lab-card.tsx';

/** What the card below can ask for. */
const labKinds: KindName[] = ['handshakes', 'primitives', 'journey', 'distance'];
const most = 20;

export default function LabPage() {
  const recent = useQueries({ queries: labKinds.map((kind) => recentQuery(kind, most)) });
  const measured = recent.flatMap(({ data }) => data ?? []);
  const newest = measured.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, most);
  return (
    <>
      <PageHead tab="TLS lab" title="What do handshakes, ciphers, and keys cost?">
        <p>
          Both ends of a TLS connection exchange data through memory, so nothing but TLS is measured. Cells
          run in random order, each against the same baseline.
        </p>
      </PageHead>
      <LabCard />
      <RecentSection
        title="Recent measurements"
        lines={describeMeasurements(newest)}
        all={{ href: '/runs', title: 'All measurements' }}
      />
      <Section id="more" title="Related">
        <Card>
          <p>
            <Link to="/lab/probe">The resumption check</Link> tests whether a target resumes sessions.
          </p>
          <p>
            <Link to="/lab/capacity">The capacity planner</Link> calculates how many cores a load needs with
            and without TLS.
          </p>
          <p>
            <Link to="/">A paired run</Link> measures what TLS costs a whole application.
          </p>
        </Card>
      </Section>
    </>
  );
}
