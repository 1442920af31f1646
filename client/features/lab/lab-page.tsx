import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { LabCard } from './lab-card.tsx';
import { LabRecent } from './lab-recent.tsx';

export default function LabPage() {
  return (
    <>
      <PageHead tab="TLS lab" title="What does a handshake cost?" above={<LabTabs />} />
      <LabCard />
      <LabRecent kinds={['handshakes', 'visits', 'distance']} />
    </>
  );
}
