import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { recentLabsQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { LinkList } from '../../components/link-list.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Section } from '../../components/section.tsx';
import { describeLab } from '../../format/lab-line.ts';
import { LabCard } from './lab-card.tsx';

export default function LabPage() {
  const recent = useQuery(recentLabsQuery);
  const labs = recent.data?.labs ?? [];
  const now = Date.now();
  return (
    <>
      <PageHead tab="TLS lab" title="What does a handshake, a cipher, a key cost?">
        <p>
          Both ends of a TLS connection talk through memory, so that nothing but TLS is measured: protocol,
          suite, key, key agreement and payload in random order, each against the same baseline.
        </p>
      </PageHead>
      <LabCard />
      {labs.length === 0 ? null : (
        <Section id="recent" title="Measured here">
          <Card flush>
            <LinkList label="Measurements of the lab" lines={labs.map((lab) => describeLab(lab, now))} />
          </Card>
        </Section>
      )}
      <Section id="more" title="Related">
        <Card>
          <p>
            <Link to="/lab/probe">The resumption proof</Link> tells whether a target takes sessions up again.
          </p>
          <p>
            <Link to="/lab/capacity">The capacity planner</Link> reckons the cores that a load takes with TLS
            and without.
          </p>
          <p>
            <Link to="/">A paired run</Link> tells what the same connection costs a whole application.
          </p>
        </Card>
      </Section>
    </>
  );
}
