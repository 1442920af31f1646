import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { PreflightReport } from '../../../../shared/target/preflight.ts';
import { unaskedInWords } from '../../../../shared/words/unasked-differences.ts';
import { CheckColumns } from '../../../components/check-columns.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { served } from '../../../components/served.ts';
import { checkColumns } from '../../../format/check-column.ts';
import { ChartsSection } from '../figures/charts-section.tsx';
import classes from '../run.module.css';
import { BillSection } from './bill-section.tsx';
import { CacheSection } from './cache-section.tsx';
import { ErrorsSection } from './errors-section.tsx';
import { ExplainSection } from './explain-section.tsx';
import { FairnessSection } from './fairness-section.tsx';
import { MetricsSection } from './metrics-section.tsx';
import { NextSteps } from './next-steps.tsx';
import { planFacts } from './plan-facts.tsx';
import { PrecisionSection } from './precision-section.tsx';
import { ReadingGuide } from './reading-guide.tsx';
import { SeriesSection } from './series-section.tsx';
import { ServerSection } from './server-section.tsx';
import { StepsSection } from './steps-section.tsx';
import { VerdictHead } from './verdict-head.tsx';
import { hasCpuDelta, hasSteps, isMeasured } from './what-is-there.ts';

type Props = { document: ShownRun; takeFocus: boolean };

/** A run that is over, whole or in part: the verdict first, then everything it rests on. */
export function FinishedPage({ document, takeFocus }: Props) {
  const { verdict, errors, preflight, example } = document;
  const isOwn = served && example !== true;
  const measured = isMeasured(document);
  return (
    <>
      <VerdictHead document={document} takeFocus={takeFocus} />
      {served ? <NextSteps document={document} /> : null}
      <Warnings warnings={warningsOf(document)} />
      {measured || errors.length === 0 ? null : <ErrorsSection document={document} open />}
      {preflight === null || preflight.ok ? null : <PreflightSection report={preflight} />}
      {measured ? <MetricsSection document={document} /> : null}
      {measured ? (
        <div className={classes.secondPage}>
          <ChartsSection document={document} />
        </div>
      ) : null}
      {hasCpuDelta(document) && example !== true ? <ExplainSection document={document} /> : null}
      <div className={classes.folds}>
        {isOwn && verdict !== null ? <SeriesSection document={document} /> : null}
        {isOwn && measured ? <BillSection document={document} /> : null}
        {hasSteps(document) ? <StepsSection document={document} /> : null}
        {measured ? <PrecisionSection document={document} /> : null}
        {document.fairness === null ? null : <FairnessSection document={document} />}
        <CacheSection document={document} />
        {measured || errors.length === 0 ? (
          <ErrorsSection document={document} open={errors.length > 0} />
        ) : null}
        <ServerSection document={document} />
        <MethodSection
          plan={planFacts(document)}
          machine={document.environment}
          placement={document.placement}
        />
        <ReadingGuide plan={document.plan} />
      </div>
    </>
  );
}

/** What else the sides differ by comes first: it may be what the verdict shows. */
function warningsOf(document: ShownRun): string[] {
  const unasked = unaskedInWords(document);
  return [...(unasked === null ? [] : [unasked]), ...document.warnings];
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className={classes.warnings}>
      <Notice tone="warn">
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </Notice>
    </div>
  );
}

/** Why a run never began: the check that failed stands in its column. */
function PreflightSection({ report }: { report: PreflightReport }) {
  return (
    <Section id="preflight" title="Preflight check" lead={report.problem} card>
      <CheckColumns columns={checkColumns(report)} />
    </Section>
  );
}
