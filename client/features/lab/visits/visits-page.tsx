import { printNumber } from '../../../../shared/base/quantity.ts';
import type { VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import { DeltaSection } from '../../../components/delta-section.tsx';
import { Fold } from '../../../components/fold.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { PagePicture } from '../../../components/page-picture.tsx';
import { Warnings } from '../../../components/result-head.tsx';
import { Section } from '../../../components/section.tsx';
import { served } from '../../../components/served.ts';
import { StepButtons } from '../../../components/step-buttons.tsx';
import { sidesOf } from '../../../format/side.ts';
import classes from '../lab.module.css';
import { stepsOf } from './again-visits.ts';
import { PagesSection } from './pages-section.tsx';
import { timesView } from './visit-rows.ts';
import { VisitsHead } from './visits-head.tsx';

type Props = { document: VisitsDocument; takeFocus: boolean };

export function VisitsPage({ document, takeFocus }: Props) {
  const { blocks, notes, browser, request, stuck, warnings } = document;
  const sides = sidesOf(document.sides);
  const kept = blocks.some(({ dropped }) => dropped === null);
  return (
    <>
      <VisitsHead document={document} takeFocus={takeFocus} />
      {served ? <StepButtons steps={stepsOf(document)} /> : null}
      <Warnings warnings={warnings} />
      {stuck === undefined ? null : (
        <Section id="stuck" title="Where a visit stopped" lead={stuck.sentence}>
          {stuck.picture === null ? null : <PagePicture jpeg={stuck.picture} />}
        </Section>
      )}
      {kept ? <TimesSection document={document} /> : null}
      <PagesSection document={document} />
      <div className={classes.folds}>
        {notes.length === 0 ? null : (
          <Fold id="notes" title="What was compared" printed>
            <ul className={classes.notes}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Fold>
        )}
        <MethodSection
          plan={[
            { name: 'Browser', value: browser },
            {
              name: 'Blocks',
              value: `${printNumber(request.blocks, 0)} blocks of ${sides.baseline.label}, ${sides.comparison.label}, and a second ${sides.baseline.label} listener, in random order and then mirrored; one warm-up round discarded`,
            },
            { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
          ]}
          machine={document.environment}
        />
      </div>
    </>
  );
}

function TimesSection({ document: { rows, sides } }: { document: VisitsDocument }) {
  return (
    <DeltaSection
      {...timesView(rows)}
      id="times"
      label="Times"
      caption="Times of both visits on both sides, with their shift and outcome"
      ci="95 % CI"
      of="Time"
      sides={sidesOf(sides)}
      mark="each of the blocks"
      twin="twin"
    />
  );
}
