import { visitsOptions } from '../../../shared/kinds/visits/options.ts';
import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentOfKinds } from '../../components/recent-of-kinds.tsx';
import { KindCard } from './kind-card.tsx';

export default function VisitsPage() {
  return (
    <>
      <PageHead tab="Visits" title="What does a visitor wait for?" above={<LabTabs />} />
      <KindCard kind="visits" options={visitsOptions}>
        Chromium opens the storefront over HTTP and HTTPS, with a cold and a warm cache.
      </KindCard>
      <RecentOfKinds kinds={['visits']} />
    </>
  );
}
