import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { LabRecent } from './lab-recent.tsx';
import { SpeedCard } from './speed-card.tsx';

export default function SpeedStartPage() {
  return (
    <>
      <PageHead tab="Speed" title="How fast are ciphers and keys?" above={<LabTabs />} />
      <SpeedCard />
      <LabRecent kinds={['speed']} />
    </>
  );
}
