import { LabTabs } from '../../../components/lab-tabs.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { RecentOfKinds } from '../../../components/recent-of-kinds.tsx';
import { MeshCard } from './mesh-card.tsx';

export default function MeshPage() {
  return (
    <>
      <PageHead tab="Mesh" title="What does a sidecar cost, and how much of it is TLS?" above={<LabTabs />}>
        <p>CPU and latency of a request: direct, through a proxy, and through the proxy with TLS.</p>
      </PageHead>
      <MeshCard />
      <RecentOfKinds kinds={['mesh']} />
    </>
  );
}
