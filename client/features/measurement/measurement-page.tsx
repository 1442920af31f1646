import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { batchOfQuery } from '../../api/batch-queries.ts';
import { annotationQuery } from '../../api/queries.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { Fold } from '../../components/fold.tsx';
import { BesideHeadline } from '../../components/page-head.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { ExampleNotice } from './example-notice.tsx';
import type { AnyView, KindViews } from './kind-view.ts';
import { type LateView, useLateView } from './late-view.ts';
import { LivePage } from './live-page.tsx';
import classes from './measurement.module.css';
import { RepeatSection } from './repeat-section.tsx';
import { ResumeSection } from './resume-section.tsx';
import { type Asking, ShareActions, ShareDialogs } from './share-actions.tsx';
import { useUnfolding } from './unfold.ts';
import { WrittenAnnotation } from './written-annotation.tsx';

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
  const { data: annotation } = useQuery(annotationQuery(id));
  const wasLive = useRef(false);
  if (document === undefined) return <Waiting>Opening the measurement</Waiting>;
  if (!isOver(document.state)) wasLive.current = true;
  return (
    <>
      <ExampleNotice document={document} />
      {annotation === undefined ? null : <WrittenAnnotation annotation={annotation} />}
      <BatchLine document={document} />
      <OfItsKind document={document} late={views[document.kind]} wasLive={wasLive.current} />
    </>
  );
}

type Props = { document: ShownMeasurement; late: LateView<AnyView>; wasLive: boolean };

function OfItsKind({ document, late, wasLive }: Props) {
  const view = useLateView(late);
  const [asking, setAsking] = useState<Asking>(null);
  const { id } = document;
  return (
    <>
      <BesideHeadline value={<ShareActions document={document} view={view} onAsk={setAsking} />}>
        {isOver(document.state) ? (
          <Over document={document} view={view} wasLive={wasLive} />
        ) : (
          <LivePage document={document} view={view} />
        )}
      </BesideHeadline>
      <ShareDialogs id={id} noun={view.noun} asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}

type OverProps = { document: ShownMeasurement; view: AnyView; wasLive: boolean };

function Over({ document, view, wasLive }: OverProps) {
  return (
    <article>
      <view.Finished document={document} takeFocus={wasLive} />
      {view.resumable === true ? <ResumeSection document={document} noun={view.noun} /> : null}
      {document.state === 'finished' && document.example !== true ? (
        <RepeatSection document={document} noun={view.noun} />
      ) : null}
      <Fold id="command" title="Command" lead="repeats it from a terminal">
        <CommandLine command={document.command} />
      </Fold>
      <Unfolding />
    </article>
  );
}

/** Begins once the document is on the page. */
function Unfolding() {
  useUnfolding();
  return null;
}

/** From one of several sites to all of them. Only a runner measures for a site, so others are not asked about. */
function BatchLine({ document: { id, state, environment } }: { document: ShownMeasurement }) {
  const enabled = state === 'queued' || environment.runner !== undefined;
  const { data: batch } = useQuery({ ...batchOfQuery(id), enabled });
  if (batch == null) return null;
  const sites = batch.sites.map(printLabels).join(', ');
  return (
    <p className={classes.batch}>
      One of <Link to={batch.url}>{batch.sites.length} sites</Link>: {sites}
    </p>
  );
}
