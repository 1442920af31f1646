import { printNumber } from '../../../../shared/base/quantity.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedDocument,
} from '../../../../shared/kinds/speed/speed.ts';
import { keyTable, speedFinding } from '../../../../shared/report/speed-report.ts';
import { speedSentences } from '../../../../shared/studies/then-and-now/speed-then-and-now.ts';
import { MethodSection } from '../../../components/method-section.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { Section } from '../../../components/section.tsx';
import { ReportTable, Sections } from '../../../components/sections.tsx';
import { printCount } from '../../../format/count.ts';
import { speedCurves } from '../then-and-now/speed-curves.ts';
import { ThenAndNowFigure } from '../then-and-now/then-and-now-figure.tsx';
import { SizeFigure } from './size-figure.tsx';
import { SizeTable } from './size-table.tsx';
import { WhySlower } from './why-slower.tsx';

type Props = { document: SpeedDocument; takeFocus: boolean };

export function SpeedPage({ document, takeFocus }: Props) {
  const { rows, plan, opensslProgram, costs } = document;
  const headline = rows.length === 0 ? [] : ['What the cryptography of TLS costs on one core'];
  return (
    <>
      <ResultHead
        document={document}
        tab="What TLS cryptography costs"
        sentences={[...headline, ...speedSentences(rows)]}
        counts={`${printCount(rows.length, 'figure')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      {primitiveGroups.map((group) => {
        const own = rows.filter((row) => row.group === group);
        const sized = own.filter(({ bytes }) => bytes !== null);
        const others = own.filter(({ bytes }) => bytes === null);
        if (own.length === 0) return null;
        return (
          <Section
            key={group}
            id={group}
            title={primitiveGroupTitles[group]}
            {...(opensslProgram === null || sized.length === 0
              ? {}
              : {
                  lead: 'By openssl speed; the small figure is the change through Node’s calls, in the same rounds.',
                })}
            card="stack"
          >
            {sized.length === 0 ? null : <SizeFigure rows={sized} title={primitiveGroupTitles[group]} />}
            {sized.length === 0 ? null : <SizeTable rows={sized} costs={costs} />}
            {others.length === 0 ? null : <ReportTable of={keyTable(others)} first={8} />}
            <WhySlower rows={others} />
          </Section>
        );
      })}
      <Sections
        of={speedFinding(document).sections}
        charts={{ 'then-and-now': <ThenAndNowFigure legend="Algorithm" curves={speedCurves(rows)} /> }}
      />
      <MethodSection
        plan={[
          { name: 'Compared with', value: opensslProgram ?? 'no openssl program' },
          {
            name: 'Rounds',
            value: `${plan.rounds} rounds in random order, ${printNumber(plan.sliceMs, 1)} ms of CPU time for each figure, ${printNumber(plan.opensslSliceMs, 1)} ms by openssl`,
          },
          { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
        ]}
        machine={document.environment}
      />
    </>
  );
}
