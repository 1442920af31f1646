import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentOfKinds } from '../../components/recent-of-kinds.tsx';
import { ExplainCard } from './explain-card.tsx';

export default function ExplainPage() {
  return (
    <>
      <PageHead tab="Explain" title="Where do the microseconds go?" above={<LabTabs />}>
        <p>
          CPU of a request by what it is spent on: encryption, copying, the kernel, and more. Linux’s perf
          samples the server while it is loaded.
        </p>
      </PageHead>
      <ExplainCard />
      <RecentOfKinds kinds={['explain']} />
    </>
  );
}
