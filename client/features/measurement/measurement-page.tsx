import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { z } from 'zod';
import { scheduleEndpoints } from '../../../shared/api/housekeeping-endpoints.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { type FieldError, fieldErrorsOf, ProblemError, problem } from '../../../shared/base/problem.ts';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import { isOver } from '../../../shared/measurement/measurement.ts';
import { labelsTextSchema } from '../../../shared/measurement/runner.ts';
import { labelChoices, printLabels } from '../../../shared/measurement/runner-labels.ts';
import {
  type NewSchedule,
  newScheduleSchema,
  type Rhythm,
  weekdays,
} from '../../../shared/results/schedule.ts';
import type { ShownMeasurement } from '../../../shared/results/shown-measurement.ts';
import { mayCall } from '../../api/identity.ts';
import { rememberDeleteToken } from '../../api/kept-texts.ts';
import { callEndpoint } from '../../api/late-call.ts';
import { annotationQuery, runnersQuery } from '../../api/queries.ts';
import { batchOfQuery, measurementQuery, schedulesQuery } from '../../api/result-queries.ts';
import { ActionButton, BesideHeadline, CommandLine } from '../../components/action-button.tsx';
import { ProblemNotice } from '../../components/answer.tsx';
import { Card, Notice, Section } from '../../components/card.tsx';
import { FieldRow, Form, SelectField, TextField } from '../../components/form-fields.tsx';
import { Fold } from '../../components/term.tsx';
import { lookOfSchedule, rhythmInWords, scheduleDetails } from '../../format/schedule-line.ts';
import { type LateView, useLateView } from './late-view.ts';
import { LivePage } from './live-page.tsx';
import classes from './measurement.module.css';
import { ExampleNotice, WrittenAnnotation } from './result-notes.tsx';
import { type Asking, ShareActions, ShareDialogs } from './share-actions.tsx';
import { type AnyView, type KindViews, useUnfolding } from './unfold.ts';

/** Page at one address: live while the measurement waits and runs, then its result. Throws if it cannot be shown. */
export function MeasurementPage({ views }: { views: KindViews }) {
  const { id = '' } = useParams();
  if (!permalinkIdSchema.safeParse(id).success) {
    throw problem('run_not_found', 'The ID of a run is 22 letters and digits.');
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
  if (document === undefined) return <Opening />;
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

/** The page in outline, so that a click on Start is seen to act. */
function Opening() {
  return (
    <div className={classes.opening} role="status" aria-label="Opening the result">
      <div />
      <div />
      <div />
    </div>
  );
}

type Props = { document: ShownMeasurement; late: LateView<AnyView>; wasLive: boolean };

function OfItsKind({ document, late, wasLive }: Props) {
  const view = useLateView(late);
  const [asking, setAsking] = useState<Asking>(null);
  const { id } = document;
  const over = isOver(document.state);
  const [telling, setTelling] = useState(false);
  useEffect(() => {
    if (over && telling) notify();
  }, [over, telling]);
  return (
    <>
      <BesideHeadline value={<ShareActions document={document} view={view} onAsk={setAsking} />}>
        {over ? (
          <Over document={document} view={view} wasLive={wasLive} />
        ) : (
          <LivePage
            document={document}
            view={view}
            tell={<TellMe telling={telling} onTell={() => setTelling(true)} />}
          />
        )}
      </BesideHeadline>
      <ShareDialogs id={id} asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}

/** The page has put its headline into the title by now, which is what other tabs show. */
function notify(): void {
  try {
    new Notification(window.document.title);
  } catch {
    // Chrome on Android grants notifications, but throws a TypeError here. The title of the tab says it.
  }
}

/** Asks the browser for leave on a click; a browser that shows none has the title of the tab. */
function TellMe({ telling, onTell }: { telling: boolean; onTell: () => void }) {
  const [refused, setRefused] = useState(false);
  if (!('Notification' in window)) return null;
  if (telling) return <p className="soft">This browser will tell you when it ends.</p>;
  if (refused) return <p className="soft">The tab’s title will say when it ends.</p>;
  const ask = async () => {
    const answer = await Notification.requestPermission().catch(() => 'denied');
    if (answer === 'granted') onTell();
    else setRefused(true);
  };
  return (
    <ActionButton variant="default" onClick={ask}>
      Tell me when it ends
    </ActionButton>
  );
}

type OverProps = { document: ShownMeasurement; view: AnyView; wasLive: boolean };

function Over({ document, view, wasLive }: OverProps) {
  return (
    <article>
      <view.Finished document={document} takeFocus={wasLive} />
      {view.resumable === true ? <ResumeSection document={document} /> : null}
      {document.state === 'finished' && document.example !== true ? (
        <RepeatSection document={document} />
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

const early = ['incomplete', 'interrupted', 'failed'];

function ResumeSection({ document: { id, state } }: { document: ShownMeasurement }) {
  const queryClient = useQueryClient();
  const resume = useMutation({
    mutationFn: () => callEndpoint(measurementEndpoints.resumeMeasurement, { params: { id } }),
    onSuccess: () => queryClient.resetQueries({ queryKey: measurementQuery(id).queryKey }),
  });
  if (!early.includes(state) || !mayCall(measurementEndpoints.resumeMeasurement)) return null;
  return (
    <Section
      id="resume"
      title="It ended early"
      lead="Finished parts are kept. The run continues where it stopped."
      card
    >
      <ProblemNotice error={resume.error} />
      <ActionButton pending={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </ActionButton>
    </Section>
  );
}

function RepeatSection({ document: { id } }: { document: ShownMeasurement }) {
  const { data: schedules = [] } = useQuery({
    ...schedulesQuery(id),
    enabled: mayCall(scheduleEndpoints.listSchedules),
  });
  if (!mayCall(scheduleEndpoints.createSchedule)) return null;
  const on = schedules.filter(({ state }) => state === 'on');
  const lead = on.length === 0 ? 'Every hour, night, or week' : on.map(rhythmInWords).join(', ');
  return (
    <Fold id="repeat" title="Repeat" lead={lead}>
      <Card stack>
        {schedules.length === 0 ? null : (
          <Notice tone="quiet" announce="status">
            {schedules.map((schedule) => (
              <p key={schedule.id}>
                {[lookOfSchedule(schedule).word, ...scheduleDetails(schedule)].join(' · ')}
              </p>
            ))}
            <p>
              Pause or delete them in <Link to="/runs/schedules">Schedules</Link>.
            </p>
          </Notice>
        )}
        <p>
          The run is repeated while this server runs.{' '}
          <Link to="/docs/share#follow-a-question-over-time">How repeating works</Link>
        </p>
        <RepeatForm id={id} />
      </Card>
    </Fold>
  );
}

export type RepeatDraft = {
  every: Rhythm['every'];
  day: (typeof weekdays)[number];
  at: string;
  /** Empty for no such end, as `lastDay`. */
  times: string;
  lastDay: string;
  /** Labels as text; `before` for those of the result. */
  labels: string;
};

export const blankRepeat: RepeatDraft = {
  every: 'night',
  day: 'Sunday',
  at: '02:30',
  times: '',
  lastDay: '',
  labels: 'before',
};

/** @param zone the clock that its times are read from */
export function parseRepeat(
  of: string,
  { every, day, at, times, lastDay, labels }: RepeatDraft,
  zone: string,
): { schedule: NewSchedule } | { errors: FieldError[] } {
  const rhythms: Record<RepeatDraft['every'], z.input<typeof newScheduleSchema>['rhythm']> = {
    hour: { every: 'hour', zone },
    night: { every: 'night', at, zone },
    week: { every: 'week', day, at, zone },
  };
  const parsed = newScheduleSchema.safeParse({
    of,
    rhythm: rhythms[every],
    times: times.trim() === '' ? null : Number(times),
    lastDay: lastDay === '' ? null : lastDay,
    labels: labels === 'before' ? undefined : labelsTextSchema.parse(labels),
  });
  return parsed.success ? { schedule: parsed.data } : { errors: fieldErrorsOf(parsed.error) };
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const rhythms = [
  { value: 'hour', label: 'Hour' },
  { value: 'night', label: 'Night' },
  { value: 'week', label: 'Week' },
];

function RepeatForm({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(blankRepeat);
  const [tried, setTried] = useState(false);
  const runners = useQuery({ ...runnersQuery, refetchInterval: false }).data?.runners ?? [];
  const places = labelChoices(runners).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  const parsed = parseRepeat(id, draft, zone);
  const errors = tried && 'errors' in parsed ? parsed.errors : [];
  const create = useMutation({
    mutationFn: (body: NewSchedule) => callEndpoint(scheduleEndpoints.createSchedule, { body }),
    async onSuccess({ schedule, deleteToken }) {
      rememberDeleteToken(schedule.id, deleteToken);
      await queryClient.invalidateQueries({ queryKey: ['schedules'] });
    },
  });
  const fields = {
    form: draft,
    set: (change: Partial<RepeatDraft>) => setDraft((current) => ({ ...current, ...change })),
    messages: (name: string) => errors.find(({ field }) => field.replace('rhythm.', '') === name)?.message,
  };
  return (
    <Form
      className="stack"
      noValidate
      onSubmit={() => {
        setTried(true);
        if ('schedule' in parsed && !create.isPending) create.mutate(parsed.schedule);
      }}
    >
      <FieldRow>
        <SelectField {...fields} name="every" label="Every" data={rhythms} />
        {draft.every === 'week' ? (
          <SelectField {...fields} name="day" label="Day" data={[...weekdays]} />
        ) : null}
        {draft.every === 'hour' ? null : (
          <TextField {...fields} name="at" type="time" label={`Time (${zone})`} />
        )}
      </FieldRow>
      <FieldRow>
        <TextField
          {...fields}
          name="times"
          label="Number of runs"
          placeholder="No limit"
          inputMode="numeric"
        />
        <TextField {...fields} name="lastDay" type="date" label="Last day" />
        {places.length === 0 ? null : (
          <SelectField
            {...fields}
            name="labels"
            label="Runner"
            data={[{ value: 'before', label: 'As for this result' }, { value: '', label: 'Any' }, ...places]}
          />
        )}
      </FieldRow>
      <ProblemNotice error={create.error} />
      <div>
        <ActionButton type="submit" pending={create.isPending}>
          Start repeating
        </ActionButton>
      </div>
    </Form>
  );
}
