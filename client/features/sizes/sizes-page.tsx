import { printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import { describeLoad, unsaturated } from '../../../shared/kinds/sizes/size-words.ts';
import { type SizesDocument, sizeSentences } from '../../../shared/kinds/sizes/sizes.ts';
import { webperfToday } from '../../../shared/studies/webperf-today.ts';
import { ClaimList } from '../../components/claim-list.tsx';
import { Facts } from '../../components/facts.tsx';
import { MeasuredServers } from '../../components/measured-servers.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { Section } from '../../components/section.tsx';
import { printCount } from '../../format/count.ts';
import { lookOfArm } from './arm-look.ts';
import { LineTable } from './line-table.tsx';
import { OverheadFigure } from './overhead-figure.tsx';
import { ResidualFigure } from './residual-figure.tsx';
import { SizesOverlay } from './sizes-overlay.tsx';
import { TimeFigure } from './time-figure.tsx';

/** Up to here the study drew its small documents once more. */
const smallBytes = 20_000;

const sections = [
  { what: 'latency', id: 'time', title: 'Request time' },
  { what: 'cpu', id: 'cpu', title: 'Server CPU per request' },
] as const;

/** What a sweep over sizes found, whole or in part. */
export function SizesPage({ document, takeFocus }: { document: SizesDocument; takeFocus: boolean }) {
  const { arms, twinRatios, rounds, request, server } = document;
  const [load, limit] = [describeLoad(document), unsaturated(document)];
  const largest = Math.max(...request.sizes);
  const launches = new Set(rounds.map(({ launch }) => launch)).size;
  const aside = rounds.reduce((sum, { asideShare }) => sum + asideShare, 0) / Math.max(1, rounds.length);
  return (
    <>
      <ResultHead
        document={document}
        tab="Sizes"
        sentences={sizeSentences(document)}
        counts={`${printCount(request.sizes.length, 'size')}, ${rounds.length} of ${printCount(request.rounds, 'round')}`}
        takeFocus={takeFocus}
      />
      {sections.map(({ what, id, title }) =>
        arms.every((arm) => arm[what] === null) ? null : (
          <Section key={id} id={id} title={what === 'cpu' ? `${title} at load` : title} card>
            <div className="stack roomy">
              <TimeFigure document={document} what={what} upTo={largest} />
              {largest > smallBytes ? <TimeFigure document={document} what={what} upTo={smallBytes} /> : null}
              <LineTable document={document} what={what} />
              <OverheadFigure document={document} what={what} />
              <ResidualFigure document={document} what={what} />
              {what === 'cpu' && limit !== null ? <p>{limit}</p> : null}
            </div>
          </Section>
        ),
      )}
      <ClaimList study="WebPerf 1998" claims={webperfToday(document)} />
      <Section id="connections" title="Connections" lead="The times above exclude opening connections." card>
        <Facts
          facts={arms.map((arm) => ({
            name: lookOfArm(arm).label,
            value: [
              arm.connectUs === null ? 'not measured' : `${printNumber(arm.connectUs / 1000, 2)} ms to open`,
              ...(arm.negotiated === null
                ? []
                : [
                    `${arm.negotiated.protocol}, ${arm.negotiated.cipher}, ${arm.negotiated.key ?? 'key unknown'}`,
                  ]),
            ].join('; '),
          }))}
        />
      </Section>
      <SizesOverlay document={document} />
      <MeasuredServers servers={server === null ? [] : [server]} />
      <MethodSection
        plan={[
          { name: 'Sizes', value: request.sizes.map((size) => printNumber(size, 0)).join(', ') },
          {
            name: 'Rounds',
            value: `${printNumber(rounds.length, 0)}, ${launches > 1 ? 'each on servers started anew, ' : ''}each with many short passes over all sizes and sides in random order`,
          },
          ...(load === null ? [] : [{ name: 'CPU at load', value: `${load}. Latency is of one user.` }]),
          {
            name: 'Set aside',
            value: `${printNumber(100 * aside, 1)} % of the passes, because the machine was disturbed`,
          },
          {
            name: 'Twin',
            value: `A second HTTP listener against the first: ${printNull(twinRatios.latency)} in latency, ${printNull(twinRatios.cpu)} in server CPU at load`,
          },
          { name: 'Seed', value: <code>{document.seed}</code> },
        ]}
        machine={document.environment}
        placement={document.placement}
      />
    </>
  );
}

function printNull(ratio: Estimate | null): string {
  return ratio === null ? 'not measured' : printChangeInterval(ratio);
}
