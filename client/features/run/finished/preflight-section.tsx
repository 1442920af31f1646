import type { PreflightReport } from '../../../../shared/target/preflight.ts';
import { Card } from '../../../components/card.tsx';
import { CheckColumns } from '../../../components/check-columns.tsx';
import { Section } from '../../../components/section.tsx';
import { checkColumns } from '../../../format/check-column.ts';

/** Why a run never began: the check that failed stands in its column. */
export function PreflightSection({ report }: { report: PreflightReport }) {
  return (
    <Section id="preflight" title="Preflight check" lead={report.problem}>
      <Card>
        <CheckColumns columns={checkColumns(report)} />
      </Card>
    </Section>
  );
}
