import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { fairnessTable } from '../../../../shared/report/run-report.ts';
import { describeLoad } from '../../../../shared/words/at-load-words.ts';
import { Card } from '../../../components/card.tsx';
import { Fold } from '../../../components/fold.tsx';
import { ReportTable } from '../../../components/sections.tsx';

export function FairnessSection({ document }: { document: ShownRun }) {
  return (
    <Fold id="fairness" title="Fairness" printed>
      {document.atLoad === undefined ? null : <p>{describeLoad(document.atLoad, document).join(' ')}</p>}
      <Card flush>
        <ReportTable of={fairnessTable(document)} />
      </Card>
    </Fold>
  );
}
