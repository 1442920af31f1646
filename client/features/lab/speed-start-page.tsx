import { speedOptions } from '../../../shared/kinds/speed/options.ts';
import { PageHead } from '../../components/action-button.tsx';
import { LabTabs, RecentOfKinds } from '../../components/start-form.tsx';
import { KindCard } from './kind-card.tsx';

export default function SpeedStartPage() {
  return (
    <>
      <PageHead tab="Speed" title="How fast are ciphers and keys?" above={<LabTabs />} />
      <KindCard kind="speed" options={speedOptions}>
        Digests, ciphers, signatures, and key agreement on one core, beside openssl speed. About 2 minutes.
      </KindCard>
      <RecentOfKinds kinds={['speed']} />
    </>
  );
}
