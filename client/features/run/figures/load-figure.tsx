import { labelsOf } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { Sides } from '../../../format/side.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { loadInSentence, loadView } from './load-view.ts';
import { SideBars } from './side-bars.tsx';

/** What a transaction costs the server when it is idle, half busy and busy. */
export function LoadFigure({ document, sides }: { document: ShownRun; sides: Sides }) {
  const view = loadView(document);
  if (view === null) return <EmptyFigure>This run measured server CPU at one load only.</EmptyFigure>;
  return (
    <SideBars
      rows={view.points}
      scale={view.scale}
      caption={loadInSentence(view, labelsOf(document.sides))}
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
