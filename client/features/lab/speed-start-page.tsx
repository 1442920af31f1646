import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentOfKinds } from '../../components/recent-of-kinds.tsx';
import { PlainCard } from './plain-card.tsx';

export default function SpeedStartPage() {
  return (
    <>
      <PageHead tab="Speed" title="How fast are ciphers and keys?" above={<LabTabs />} />
      <PlainCard kind="speed">
        Digests, ciphers, signatures, and key agreement on one core, beside openssl speed. About 2 minutes.
      </PlainCard>
      <RecentOfKinds kinds={['speed']} />
    </>
  );
}
