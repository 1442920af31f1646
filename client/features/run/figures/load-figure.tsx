import { labelsOf } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { Sides } from '../../../format/side.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { loadInSentence, loadView } from './load-view.ts';
import { SideBars } from './side-bars.tsx';

export function LoadFigure({ document, sides }: { document: ShownRun; sides: Sides }) {
  const points = loadView(document);
  if (points === null) return <EmptyFigure>This run measured server CPU at one load only.</EmptyFigure>;
  return (
    <SideBars
      rows={points}
      unit="us"
      caption={loadInSentence(points, labelsOf(document.sides))}
      label="Bars with 95 % CIs, from the lightest load to the heaviest."
      table={{
        caption: 'Server CPU per transaction by load, with 95 % CIs',
        head: 'Load',
        more: [
          { label: 'Shift', cell: ({ shift }) => shift?.center ?? '–' },
          { label: '95 % CI', cell: ({ shift }) => shift?.interval ?? '–' },
        ],
      }}
      sides={sides}
    />
  );
}
