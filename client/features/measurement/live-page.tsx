import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { ShownMeasurement } from '../../../shared/measurement/shown-measurement.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { Connection } from '../../api/follow-log.ts';
import { mayCall } from '../../api/identity.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { runnersQuery } from '../../api/runners-query.ts';
import { useMeasurementEvents } from '../../api/use-event-log.ts';
import { ButtonRow } from '../../components/button-row.tsx';
import { CancelButton } from '../../components/cancel-button.tsx';
import { Card } from '../../components/card.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { StopButton } from '../../components/stop-button.tsx';
import { keptText, progressText, queueText } from '../../format/progress-text.ts';
import type { AnyView } from './kind-view.ts';
import { beginLive, followEvents } from './live-measurement.ts';
import classes from './measurement.module.css';
import { PhaseList } from './phase-list.tsx';

type Props = { document: ShownMeasurement; view: AnyView };

/** A measurement that waits or goes on. It shows figures so far, never a verdict: looking early is how false alarms are made. */
export function LivePage({ document, view }: Props) {
  const { id, kind } = document;
  const { noun, Live } = view;
  const queryClient = useQueryClient();
  const [live, setLive] = useState(() => beginLive(document.state, view));
  const connection = useMeasurementEvents(id, kind, (batch) => {
    setLive((current) => followEvents(current, batch, view));
    const moved = batch.some(({ event: { type } }) => ['state', 'measured', 'end'].includes(type));
    if (moved) void queryClient.invalidateQueries(measurementQuery(id));
  });
  const { progress } = live;
  const fraction = progress?.fraction ?? 0;
  const waiting = live.state === 'queued';
  const subject = view.subject(document);

  return (
    <>
      <PageHead
        tab={waiting ? 'Waiting' : `${Math.round(fraction * 100)} % measured`}
        title={waiting ? `Waiting to measure ${subject}` : `Measuring ${subject}`}
      >
        <p>
          {waiting
            ? 'Measurements wait in a queue, because concurrent measurements would distort each other.'
            : `${view.method(document)} You can close this page. The ${noun} continues.`}
        </p>
      </PageHead>
      <div className={classes.stack}>
        <LiveNotices noun={noun} connection={connection} stalled={live.stalled} />
        <Card stack>
          {waiting ? (
            <>
              <p className={classes.place}>{queueText(live.queuePosition)}</p>
              {mayCall({ access: 'reader' }) ? <StrandedNotice id={id} /> : null}
            </>
          ) : (
            <>
              <ProgressBar
                label={`Progress of the ${noun}`}
                text={progressText(progress)}
                fraction={fraction}
              />
              <PhaseList phases={view.phases(document)} current={progress?.phase ?? null} />
            </>
          )}
          {mayCall(measurementEndpoints.cancelMeasurement) ? (
            <ButtonRow>
              <CancelButton
                what={noun}
                onCancel={(keep) =>
                  callEndpoint(measurementEndpoints.cancelMeasurement, { params: { id }, body: { keep } })
                }
              >
                {keptText(progress)}
              </CancelButton>
              <StopButton />
            </ButtonRow>
          ) : null}
        </Card>
        <WhileSeen
          Live={Live}
          document={document}
          figures={live.figures}
          counts={progress?.counts ?? noCounts}
        />
      </div>
    </>
  );
}

const noCounts: ProgressEvent['counts'] = [];

type SeenProps = Parameters<AnyView['Live']>[0] & Pick<AnyView, 'Live'>;

/** A page that nobody sees draws no figures: ten of them would disturb the measurement. */
function WhileSeen({ Live, ...props }: SeenProps) {
  const isHidden = useSyncExternalStore(onVisibility, () => window.document.hidden);
  const Drawn = useMemo(() => memo(Live), [Live]);
  const seen = useRef(props);
  if (!isHidden) seen.current = props;
  return <Drawn {...seen.current} />;
}

function onVisibility(changed: () => void): () => void {
  window.document.addEventListener('visibilitychange', changed);
  return () => window.document.removeEventListener('visibilitychange', changed);
}

/** Why one stays in the queue: no runner that is connected can take it. */
function StrandedNotice({ id }: { id: string }) {
  const { data } = useQuery(runnersQuery);
  const labels = data?.stranded.find((each) => each.id === id)?.labels;
  if (labels === undefined) return null;
  const wanted = printLabels(labels);
  return (
    <Notice
      tone="warn"
      title={wanted === '' ? 'Waiting for a runner' : `Waiting for a runner with ${wanted}`}
    >
      <p>
        None is connected. <Link to="/runners">Runners</Link>
      </p>
    </Notice>
  );
}

type NoticeProps = { noun: string; connection: Connection; stalled: string | null };

/** What keeps a live page, or the measurement itself, waiting. */
function LiveNotices({ noun, connection, stalled }: NoticeProps) {
  return (
    <div role="status">
      {connection === 'reconnecting' ? (
        <Notice tone="warn" title="Reconnecting">
          <p>The {noun} continues. This page catches up as soon as the server answers.</p>
        </Notice>
      ) : null}
      {stalled === null ? null : (
        <Notice tone="warn" title={`The ${noun} cannot be saved`}>
          <p>{stalled}</p>
          <p>What was measured stays in memory, and is saved as soon as that works again.</p>
        </Notice>
      )}
    </div>
  );
}
