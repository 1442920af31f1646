import type { FigureChanges, FigureName } from '../../../shared/kinds/comparison/result-changes.ts';
import { Section } from '../../components/section.tsx';
import { sidesOf } from '../../format/side.ts';
import { type Axis, BothResults, changeAxis, msAxis } from './both-results.tsx';
import { figureRows, mostChanged, withShortNames } from './figure-interval-view.ts';

function axisOf(figure: FigureName): Axis {
  if (figure === 'ms') return msAxis('Added time');
  return changeAxis(figure === 'overhead' ? 'Overhead' : 'Difference from the first');
}

const { comparison: look } = sidesOf({
  baseline: { transport: 'http' },
  comparison: { transport: 'https' },
});

/** Both results of the lab on one axis; of many figures, those that changed most. */
export function FigureChart({ changes: { figure, sentence, rows } }: { changes: FigureChanges }) {
  const shown = mostChanged(rows);
  const known = rows.filter(({ outcome }) => outcome !== 'unknown').length;
  return (
    <Section
      id="charts"
      title="Side by side"
      lead={shown.length < known ? `The ${shown.length} figures that changed most.` : null}
      card
    >
      <BothResults
        axis={axisOf(figure)}
        look={look}
        rows={figureRows(figure, withShortNames(shown))}
        caption={`${sentence}.`}
        marks="Bars are 95 % CIs."
      />
    </Section>
  );
}
