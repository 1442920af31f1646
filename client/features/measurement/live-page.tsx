import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, type ReactNode, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import type { MeasurementState, ProgressEvent } from '../../../shared/measurement/measurement.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import type { MeasurementEvent } from '../../../shared/results/kinds.ts';
import type { ShownMeasurement } from '../../../shared/results/shown-measurement.ts';
import { mayCall } from '../../api/identity.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { runnersQuery } from '../../api/queries.ts';
import { measurementQuery } from '../../api/result-queries.ts';
import { type Connection, useMeasurementEvents } from '../../api/use-event-log.ts';
import { ButtonRow, PageHead } from '../../components/action-button.tsx';
import { Card, Icon, Notice } from '../../components/card.tsx';
import { ProgressBar } from '../../components/progress.tsx';
import { CancelButton, StopButton } from '../../components/run-buttons.tsx';
import { keptText, progressText, queueText } from '../../format/progress-text.ts';
import classes from './measurement.module.css';
import type { AnyView, PhaseWords } from './unfold.ts';

type Props = { document: ShownMeasurement; view: AnyView /** Offered for a long one. */; tell: ReactNode };

/** A measurement that waits or goes on. It shows figures so far, never a verdict: looking early is how false alarms are made. */
export function LivePage({ document, view, tell }: Props) {
  const { id, kind } = document;
  const { Live } = view;
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
            ? 'Runs wait in a queue, because concurrent runs would distort each other.'
            : `${view.method(document)} You can close this page. The run continues.`}
        </p>
      </PageHead>
      <div className={classes.stack}>
        <LiveNotices connection={connection} stalled={live.stalled} />
        <Card stack>
          {waiting ? (
            <>
              <p className={classes.place}>{queueText(live.queuePosition)}</p>
              {mayCall({ access: 'reader' }) ? <StrandedNotice id={id} /> : null}
            </>
          ) : (
            <>
              <ProgressBar label="Progress of the run" text={progressText(progress)} fraction={fraction} />
              <PhaseList phases={view.phases(document)} current={progress?.phase ?? null} />
            </>
          )}
          {mayCall(measurementEndpoints.cancelMeasurement) ? (
            <ButtonRow>
              <CancelButton
                what="run"
                onCancel={(keep) =>
                  callEndpoint(measurementEndpoints.cancelMeasurement, { params: { id }, body: { keep } })
                }
              >
                {keptText(progress)}
              </CancelButton>
              <StopButton />
              {isLong(progress) ? tell : null}
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

/** Nobody waits before the page for longer. */
const longS = 60;

function isLong(progress: ProgressEvent | null): boolean {
  if (progress === null || progress.secondsLeft === null) return false;
  return progress.secondsLeft / (1 - progress.fraction) > longS;
}

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

type NoticeProps = { connection: Connection; stalled: string | null };

/** Notices about a lost connection, and about a measurement that is kept waiting. */
function LiveNotices({ connection, stalled }: NoticeProps) {
  return (
    <div role="status">
      {connection === 'reconnecting' ? (
        <Notice tone="warn" title="Reconnecting">
          <p>The run continues. This page catches up as soon as the server answers.</p>
        </Notice>
      ) : null}
      {stalled === null ? null : (
        <Notice tone="warn" title="The run cannot be saved">
          <p>{stalled}</p>
          <p>What was measured stays in memory, and is saved as soon as that works again.</p>
        </Notice>
      )}
    </div>
  );
}

type ListProps = { phases: readonly PhaseWords[]; current: string | null };

/** Each in a word or two; a sentence explains the one under way. */
function PhaseList({ phases, current }: ListProps) {
  const reached = phases.findIndex(({ name }) => name === current);
  return (
    <div>
      <ol className={classes.phases} aria-label="Phases">
        {phases.map(({ name, title }, index) => (
          <PhaseItem
            key={name}
            title={title}
            state={index < reached ? 'done' : index === reached ? 'now' : 'to come'}
          />
        ))}
      </ol>
      <p className={classes.phase}>{phases[reached]?.text}</p>
    </div>
  );
}

function PhaseItem({ title, state }: { title: string; state: 'done' | 'now' | 'to come' }) {
  return (
    <li
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
      data-testid={state === 'now' ? 'phase' : undefined}
    >
      <strong>
        {state === 'done' ? <Icon name="check" /> : null}
        {title}
      </strong>
      <span className="hidden">{state}</span>
    </li>
  );
}

/** The state of a measurement so far, put together from its events. */
type LiveMeasurement = {
  lastId: number;
  state: MeasurementState;
  queuePosition: number | null;
  /** Null before the first. Never goes back. */
  progress: ProgressEvent | null;
  /** Why the store does not take what is measured; null while it does. */
  stalled: string | null;
  /** Figures that its kind has put together from its own events. */
  figures: unknown;
};

type Follow = Pick<AnyView, 'figures' | 'follow'>;

export function beginLive(state: MeasurementState, { figures }: Follow): LiveMeasurement {
  return { lastId: -1, state, queuePosition: null, progress: null, stalled: null, figures };
}

/** Takes events in order; what was seen already, as after a replay, changes nothing. */
export function followEvents(
  live: LiveMeasurement,
  batch: readonly { id: number; event: MeasurementEvent }[],
  kind: Follow,
): LiveMeasurement {
  return batch.reduce((current, { id, event }) => {
    // An event outside the log has the id of an earlier event.
    const isLogged = event.type !== 'stalled' && event.type !== 'progress';
    if (isLogged && id <= current.lastId) return current;
    return follow(current, id, event, kind);
  }, live);
}

function follow(live: LiveMeasurement, id: number, event: MeasurementEvent, kind: Follow): LiveMeasurement {
  const next = { ...live, lastId: id, stalled: null };
  switch (event.type) {
    case 'stalled':
      return { ...live, stalled: event.detail };
    case 'state':
      return { ...next, state: event.state, queuePosition: event.queuePosition };
    case 'progress':
      return event.fraction < (live.progress?.fraction ?? 0) ? live : { ...live, progress: event };
    case 'measured':
    case 'end':
      return { ...next, state: event.state };
    default:
      return { ...next, figures: kind.follow(live.figures, event) };
  }
}
