import { LabTabs } from '../../../components/lab-tabs.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { RecentOfKinds } from '../../../components/recent-of-kinds.tsx';
import { LabCard } from './lab-card.tsx';

export default function LabPage() {
  return (
    <>
      <PageHead tab="Handshakes" title="What does a handshake cost?" above={<LabTabs />} />
      <LabCard />
      <RecentOfKinds kinds={['handshakes']} />
    </>
  );
}
