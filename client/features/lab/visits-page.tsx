import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentOfKinds } from '../../components/recent-of-kinds.tsx';
import { PlainCard } from './plain-card.tsx';

export default function VisitsPage() {
  return (
    <>
      <PageHead tab="Visits" title="What does a visitor wait for?" above={<LabTabs />} />
      <PlainCard kind="visits">
        Chromium opens the storefront over HTTP and HTTPS, with a cold and a warm cache.
      </PlainCard>
      <RecentOfKinds kinds={['visits']} />
    </>
  );
}
