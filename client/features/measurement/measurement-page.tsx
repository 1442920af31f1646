import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useParams } from 'react-router';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { Waiting } from '../../components/waiting.tsx';
import { AnnotationSection } from './annotation-section.tsx';
import { BatchLine } from './batch-line.tsx';
import type { AnyView, KindViews } from './kind-view.ts';
import { type LateView, useLateView } from './late-view.ts';
import { LivePage } from './live-page.tsx';
import { RepeatSection } from './repeat-section.tsx';
import { ResumeSection } from './resume-section.tsx';
import { ShareSection } from './share-section.tsx';
import { useUnfolding } from './unfold.ts';

/** One address: live while it waits and is measured, then what was found. What cannot be shown is thrown. */
export function MeasurementPage({ views }: { views: KindViews }) {
  const { id = '' } = useParams();
  if (!permalinkIdSchema.safeParse(id).success) {
    throw problem('run_not_found', 'The id of a measurement is 22 letters and digits.');
  }
  return <Measurement key={id} id={id} views={views} />;
}

function Measurement({ id, views }: { id: string; views: KindViews }) {
  const { data: document } = useQuery({
    ...measurementQuery(id),
    throwOnError: (error, query) => error instanceof ProblemError || query.state.data === undefined,
  });
  const wasLive = useRef(false);
  if (document === undefined) return <Waiting>Opening the measurement</Waiting>;
  if (!isOver(document.state)) wasLive.current = true;
  return (
    <>
      <AnnotationSection id={id} />
      <BatchLine document={document} />
      <OfItsKind document={document} late={views[document.kind]} wasLive={wasLive.current} />
    </>
  );
}

type Props = { document: ShownMeasurement; late: LateView<AnyView>; wasLive: boolean };

function OfItsKind({ document, late, wasLive }: Props) {
  const view = useLateView(late);
  if (!isOver(document.state)) return <LivePage document={document} view={view} />;
  return (
    <article>
      <view.Finished document={document} takeFocus={wasLive} />
      {view.resumable === true ? <ResumeSection document={document} noun={view.noun} /> : null}
      {document.state === 'finished' ? <RepeatSection document={document} noun={view.noun} /> : null}
      <ShareSection document={document} view={view} />
      <Unfolding />
    </article>
  );
}

/** Begins once the document is on the page. */
function Unfolding() {
  useUnfolding();
  return null;
}
