import { useState } from 'react';
import { type PricesDocument, pricesHeadline } from '../../../shared/kinds/prices/prices.ts';
import { pricesFinding } from '../../../shared/report/prices-report.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { served } from '../../components/links.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { Sections } from '../../components/report-sections.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { SeriesFold } from '../../components/series.tsx';
import { printCount } from '../../format/printed-figures.ts';
import { sidesOf } from '../../format/sides.ts';
import { TrafficBillSection } from './traffic-bill.tsx';

type Props = { document: PricesDocument; takeFocus: boolean };

function PricesPage({ document, takeFocus }: Props) {
  const { rounds, request, seed, environment } = document;
  return (
    <>
      <ResultHead
        document={document}
        headline={pricesHeadline(document)}
        sentences={[]}
        counts={printCount(rounds.length, 'round')}
        takeFocus={takeFocus}
      />
      {served ? <TrafficBillSection list={document.id} /> : null}
      <Sections of={pricesFinding(document).sections} />
      {served && document.state === 'finished' ? <SeriesOfLists document={document} /> : null}
      <MethodSection
        plan={[
          {
            name: 'Rounds',
            value: `${rounds.length}, each with all combinations in random order, ${request.seconds} s`,
          },
          { name: 'Seed', value: <code>{seed}</code> },
        ]}
        machine={environment}
      />
    </>
  );
}

/** Lists of the same server. */
function SeriesOfLists({ document: { id, items } }: Pick<Props, 'document'>) {
  const [item, choose] = useState('request');
  return (
    <SeriesFold
      id={id}
      choices={items
        .filter(({ unit, difference }) => unit !== 'bytes' && difference !== null)
        .map((each) => ({ value: each.id, label: each.title }))}
      metric={item}
      onMetric={choose}
      isTime={(metric) => items.find((each) => each.id === metric)?.unit === 'us'}
      unit="us"
      look={looks.comparison}
    />
  );
}

const looks = sidesOf({ baseline: { transport: 'http' }, comparison: { transport: 'https' } });

export const pricesView = {
  page: 'l' as const,
  subject: ({ request }: PricesDocument) => `the prices of ${factsOf(request.target).name}`,
  method: () => 'Each round takes one turn on every combination, in random order.',
  phases: ({ request }: PricesDocument) => [
    { name: 'preparing', title: 'Preparing', text: 'Start the server, and warm it up.' },
    { name: 'measuring', title: 'Measuring', text: 'Measure each item over HTTP and HTTPS.' },
    ...(request.columns !== null
      ? [
          {
            name: 'columns',
            title: 'Connections',
            text: 'Price new connections by key, key agreement, or TLS version.',
          },
        ]
      : []),
    ...(request.memory
      ? [{ name: 'memory', title: 'Memory', text: 'Open idle connections, and read the server’s memory.' }]
      : []),
  ],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: PricesPage,
  csvRow: 'item',
};
