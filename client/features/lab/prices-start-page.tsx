import { pricesOptions } from '../../../shared/kinds/prices/options.ts';
import { PageHead } from '../../components/action-button.tsx';
import { LabTabs, RecentOfKinds } from '../../components/start-form.tsx';
import { KindCard } from './kind-card.tsx';

/** The path of a large document is that of an own server, which the command line takes. */
const ofStartedServer = pricesOptions.filter(({ name }) => name !== 'document');

export default function PricesStartPage() {
  return (
    <>
      <PageHead tab="Prices" title="What does TLS cost, item by item?" above={<LabTabs />} />
      <KindCard
        kind="prices"
        options={ofStartedServer}
        requestOf={({ target, ...asked }) => ({
          ...asked,
          target: { kind: 'managed', ...(target as object) },
        })}
      >
        A request, the size of a body, and a new connection, over HTTP and HTTPS at full load. About 90
        seconds.
      </KindCard>
      <RecentOfKinds kinds={['prices']} />
    </>
  );
}
