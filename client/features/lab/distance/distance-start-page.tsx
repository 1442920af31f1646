import { distanceOptions } from '../../../../shared/kinds/distance/options.ts';
import { PageHead } from '../../../components/action-button.tsx';
import { LabTabs, RecentOfKinds } from '../../../components/start-form.tsx';
import { KindCard } from '../kind-card.tsx';

export default function DistancePage() {
  return (
    <>
      <PageHead tab="Distance" title="What does HTTPS cost over a distance?" above={<LabTabs />} />
      <KindCard kind="distance" options={distanceOptions}>
        New connections over round trips of 0.2 to 60 ms, with and without resumption. About 1 minute.
      </KindCard>
      <RecentOfKinds kinds={['distance']} />
    </>
  );
}
