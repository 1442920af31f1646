import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Card } from '../../../components/card.tsx';
import { Fold } from '../../../components/fold.tsx';
import { sidesOf } from '../../../format/side.ts';
import { missingHandshakes } from './phase-rows.ts';
import { PhasesFigure } from './phases-figure.tsx';
import { phasesView, rarePhases } from './phases-view.ts';

export function StepsSection({ document }: { document: ShownRun }) {
  const view = phasesView(document);
  if (view === null) return null;
  const sentences = [
    'Exploratory: these figures carry no interval and no verdict.',
    missingHandshakes(document),
    rarePhases(document),
  ];
  return (
    <Fold id="steps" title="Latency by phase">
      <p>{sentences.filter((sentence) => sentence !== null).join(' ')}</p>
      <Card>
        <PhasesFigure document={document} view={view} sides={sidesOf(document.sides)} />
      </Card>
    </Fold>
  );
}
