import { Link } from 'react-router';
import type { RunSummary } from '../../../shared/run.ts';
import { Card } from '../../components/card.tsx';
import { LinkList } from '../../components/link-list.tsx';
import { Section } from '../../components/section.tsx';
import { describeRun } from '../../format/run-line.ts';

export function RecentRuns({ runs }: { runs: readonly RunSummary[] }) {
  const now = Date.now();
  return (
    <Section id="recent" title="Recent runs" lead={<Link to="/runs">All runs</Link>}>
      <Card flush>
        <LinkList label="Recent runs" lines={runs.map((run) => describeRun(run, now))} />
      </Card>
    </Section>
  );
}
