import { LabTabs } from '../../../components/lab-tabs.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { RecentOfKinds } from '../../../components/recent-of-kinds.tsx';
import { ExplainCard } from './explain-card.tsx';

export default function ExplainPage() {
  return (
    <>
      <PageHead tab="Explain" title="Where do the microseconds go?" above={<LabTabs />}>
        <p>
          What the CPU time of a request is spent on: encryption, copying, the kernel, and more. Linux’s perf
          samples the server under load.
        </p>
      </PageHead>
      <ExplainCard />
      <RecentOfKinds kinds={['explain']} />
    </>
  );
}
