import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentOfKinds } from '../../components/recent-of-kinds.tsx';
import { SizesCard } from './sizes-card.tsx';

export default function SizesPage() {
  return (
    <>
      <PageHead tab="Sizes" title="What does HTTPS add to a document?" above={<LabTabs />}>
        <p>For each size: per request, per byte, and per TLS record.</p>
      </PageHead>
      <SizesCard />
      <RecentOfKinds kinds={['sizes']} />
    </>
  );
}
