import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { dryRunEndpoints } from '../../shared/api/question-endpoints.ts';
import { recordingEndpoints } from '../../shared/api/scenario-endpoints.ts';
import { printShare } from '../../shared/base/quantity.ts';
import type { ProgressEvent } from '../../shared/measurement/measurement.ts';
import type { Machine, MeasurementSummary } from '../../shared/results/summary.ts';
import { mayCall } from '../api/identity.ts';
import { callEndpoint } from '../api/late-call.ts';
import { limitsQuery, machineQuery, underWayQuery } from '../api/queries.ts';
import { useMeasurementEvents } from '../api/use-event-log.ts';
import { ActionButton } from '../components/action-button.tsx';
import { ProblemNotice } from '../components/answer.tsx';
import { DeleteDialog } from '../components/dialog.tsx';
import { printClock, printTimeLeft } from '../format/printed-figures.ts';
import classes from './shell.module.css';

const restingMs = 10_000;
const soonMs = 2000;

/** How quiet the machine is, in the bar of every page. Reading the machine would disturb a run, whose own events are shown instead. */
export default function MachineState() {
  const { pathname } = useLocation();
  const queryClient = useQueryClient();
  const { data: limits } = useQuery(limitsQuery);
  const { data: machine } = useQuery({
    ...machineQuery,
    enabled: limits?.measures === true,
    refetchInterval: ({ state: { data } }) => intervalOf(data),
  });
  // A page may have begun a measurement, or ended one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew on each page
  useEffect(() => void queryClient.invalidateQueries(machineQuery), [pathname, queryClient]);
  if (machine === undefined) return null;
  if (machine.holder === 'measurement') return <UnderWay />;
  if (machine.holder === 'recording') return <OpenRecording />;
  if (machine.holder === 'dryRun') return <OpenDryRun />;
  const { level, rest } = stateInWords(machine);
  return (
    <p className={classes.machine} data-level={level} data-testid="machine-state">
      <strong>{level}</strong>
      <span>{rest}</span>
    </p>
  );
}

/** Sooner until there are figures, and never while something is measured, whose end is an event. */
function intervalOf(machine: Machine | undefined): number | false {
  if (machine?.holder === 'measurement') return false;
  return machine?.holder === null && machine.programs?.ours === null ? soonMs : restingMs;
}

function UnderWay() {
  const queryClient = useQueryClient();
  const { data: running } = useQuery({ ...underWayQuery('running'), refetchInterval: false });
  const [first] = running ?? [];
  const isFollowed = first !== undefined;
  useEffect(() => {
    // One has just ended, or the next one is about to begin: no event says so to this page.
    if (isFollowed) return;
    const timer = setInterval(() => {
      void queryClient.invalidateQueries({ queryKey: underWayQuery('running').queryKey });
      void queryClient.invalidateQueries(machineQuery);
    }, soonMs);
    return () => clearInterval(timer);
  }, [isFollowed, queryClient]);
  return first === undefined ? (
    <State word="Measuring" rest="" />
  ) : (
    <Followed key={first.id} measurement={first} />
  );
}

function Followed({ measurement: { id, kind, url } }: { measurement: MeasurementSummary }) {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<ProgressEvent | null>(null);
  useMeasurementEvents(id, kind, (batch) => {
    for (const { event } of batch) {
      if (event.type === 'progress') setProgress(event);
      if (event.type !== 'end') continue;
      void queryClient.invalidateQueries({ queryKey: underWayQuery('running').queryKey });
      void queryClient.invalidateQueries(machineQuery);
    }
  });
  return (
    <State
      word="Measuring"
      rest={progress?.secondsLeft == null ? '' : printTimeLeft(progress.secondsLeft)}
      to={url}
    />
  );
}

type StateProps = { word: string; rest: string; to?: string; children?: ReactNode };

function State({ word, rest, to, children }: StateProps) {
  return (
    <>
      <p className={classes.machine} data-level={word} data-testid="machine-state">
        <strong>{to === undefined ? word : <Link to={to}>{word}</Link>}</strong>
        <span>{rest}</span>
      </p>
      {children}
    </>
  );
}

/** Ends what has the machine, which is looked at anew afterwards. */
function useEnd(end: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn: end, onSettled: () => queryClient.invalidateQueries(machineQuery) });
}

/** Its user goes on with it, and an admin can end another person's. */
function OpenRecording() {
  const { pathname } = useLocation();
  const { data } = useQuery({
    queryKey: ['recordings', 'open'],
    queryFn: ({ signal }) => callEndpoint(recordingEndpoints.openRecording, { signal }),
    enabled: mayCall(recordingEndpoints.openRecording),
    staleTime: 0,
  });
  const end = useEnd(() => callEndpoint(recordingEndpoints.endRecording, {}));
  const [asking, setAsking] = useState(false);
  if (data?.open == null || data.open.url === pathname) return <State word="Recording" rest="" />;
  const { startedAt, url } = data.open;
  const whose = url === null ? 'A recording' : 'Your recording';
  return (
    <State word="Recording" rest="">
      <div className={classes.open} role="status">
        <p>
          <strong>
            {whose} has been open since {printClock(startedAt)}.
          </strong>{' '}
          Runs wait for it.
        </p>
        {url === null ? null : (
          <Button component={Link} to={url} size="sm">
            Continue recording
          </Button>
        )}
        <ActionButton variant="default" size="sm" pending={end.isPending} onClick={() => setAsking(true)}>
          Discard
        </ActionButton>
        <DeleteDialog
          what={url === null ? 'this recording' : 'your recording'}
          action="Discard"
          onDelete={() => end.mutateAsync()}
          open={asking}
          onClose={() => setAsking(false)}
        >
          Its actions and requests are lost. This cannot be undone.
        </DeleteDialog>
      </div>
    </State>
  );
}

/** It loses nothing when it ends. */
function OpenDryRun() {
  const { data } = useQuery({
    queryKey: ['dry-runs', 'open'],
    queryFn: ({ signal }) => callEndpoint(dryRunEndpoints.openDryRun, { signal }),
    enabled: mayCall(dryRunEndpoints.openDryRun),
    staleTime: 0,
  });
  const end = useEnd(() => callEndpoint(dryRunEndpoints.endDryRun, {}));
  if (data?.open == null) return <State word="Dry run" rest="" />;
  return (
    <State word="Dry run" rest={`since ${printClock(data.open.startedAt)}`}>
      <ActionButton variant="default" size="compact-sm" pending={end.isPending} onClick={() => end.mutate()}>
        End it
      </ActionButton>
      <ProblemNotice error={end.error} />
    </State>
  );
}

/** Shares of the machine that others take, from which it is no longer quiet, and is busy. */
const [some, much] = [0.05, 0.25];

/** `Quiet`, `2 cores · loudest: dockerd 3 %, sshd 1 % · TLS Toll 2 %`. */
export function stateInWords({ cores, stealRatio, foreignRatio, programs }: Machine) {
  if (stealRatio === null || foreignRatio === null) return { level: 'Checking', rest: 'this machine' };
  const taken = stealRatio + foreignRatio;
  const level = taken < some ? 'Quiet' : taken < much ? 'Some load' : 'Busy';
  const loudest = (programs?.loudest ?? [])
    .slice(0, 2)
    .map(({ name, share }) => `${name} ${printShare(share)}`);
  const ours = programs?.ours ?? 0;
  return {
    level,
    rest: [
      `${cores} ${cores === 1 ? 'core' : 'cores'}`,
      ...(stealRatio < some ? [] : [`other virtual machines ${printShare(stealRatio)}`]),
      ...(loudest.length === 0 ? [] : [`loudest: ${loudest.join(', ')}`]),
      ...(ours < 0.01 ? [] : [`TLS Toll ${printShare(ours)}`]),
    ].join(' · '),
  };
}
