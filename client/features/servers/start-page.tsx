import { Link } from 'react-router';
import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RecentOfKinds } from '../../components/recent-of-kinds.tsx';
import { ServersCard } from './servers-card.tsx';

export default function ServersPage() {
  return (
    <>
      <PageHead tab="Servers" title="What changes the cost of HTTPS?" above={<LabTabs />}>
        <p>
          Servers, keys, ciphers, and connections, at full speed and in random order.{' '}
          <Link to="/sql">Query all sweeps with SQL</Link>
        </p>
      </PageHead>
      <ServersCard />
      <RecentOfKinds kinds={['servers']} />
    </>
  );
}
