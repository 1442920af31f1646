import { printNumber } from '../../../shared/base/quantity.ts';
import { visitMs } from '../../../shared/kinds/servers/plan/servers-duration.ts';
import type { ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { malmgrenToday } from '../../../shared/studies/malmgren-today.ts';
import { ClaimList } from '../../components/claim-list.tsx';
import { MeasuredServers } from '../../components/measured-servers.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { printCount } from '../../format/count.ts';
import { CellsSection } from './cells-section.tsx';
import { ConcurrencySection } from './concurrency-section.tsx';
import { EffectTable } from './effect-table.tsx';
import { LevelBars } from './level-bars.tsx';
import { ServersOverlay } from './servers-overlay.tsx';

/** What a sweep over servers found, whole or in part. */
export function ServersPage({ document, takeFocus }: { document: ServersDocument; takeFocus: boolean }) {
  const { cells, ranking, roundsDone, request, servers, seed, environment } = document;
  const measured = cells.filter(({ throughput }) => throughput !== null);
  return (
    <>
      <ResultHead
        document={document}
        tab="Servers"
        sentences={ranking}
        counts={`${printCount(measured.length, 'cell')}, ${roundsDone} of ${printCount(request.rounds, 'round')}`}
        takeFocus={takeFocus}
      />
      <ClaimList study="Malmgren 2011" claims={malmgrenToday(document)} />
      <LevelBars document={document} />
      {measured.length === 0 ? null : <ConcurrencySection document={document} />}
      <EffectTable document={document} />
      <CellsSection document={document} />
      <ServersOverlay document={document} />
      <MeasuredServers servers={servers} />
      <MethodSection
        plan={[
          {
            name: 'Rounds',
            value: `${printNumber(roundsDone, 0)} of ${printNumber(request.rounds, 0)}. Each starts new servers and visits the cells in random order`,
          },
          {
            name: 'Visit',
            value: `${visitMs / 1000} s: bursts of 100 ms on HTTP, HTTPS, and an HTTP twin, in random order`,
          },
          { name: 'Seed', value: <code>{seed}</code> },
        ]}
        machine={environment}
        placement={document.placement}
      />
    </>
  );
}
