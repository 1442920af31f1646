import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { runEndpoints } from '../../../../shared/api/run-endpoints.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import type { KindName } from '../../../../shared/measurement/kind-names.ts';
import { isOver } from '../../../../shared/measurement/measurement.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { rememberDeleteToken } from '../../../api/delete-tokens.ts';
import { mayCall } from '../../../api/identity.ts';
import { problemOf } from '../../../api/problem-of.ts';
import { attributionQuery, measurementQuery } from '../../../api/result-queries.ts';
import { useMeasurementEvents } from '../../../api/use-event-log.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { Card } from '../../../components/card.tsx';
import { Fold } from '../../../components/fold.tsx';
import { ProblemNotice } from '../../../components/problem-notice.tsx';
import { ProgressBar } from '../../../components/progress-bar.tsx';
import { useViewState } from '../use-view-state.ts';
import classes from './parts-section.module.css';
import { PartsTable } from './parts-table.tsx';

/** What handshakes and bytes cost by themselves: measured on demand, and from then on part of the address. */
export function PartsSection({ document }: { document: ShownRun }) {
  const [{ handshakes }] = useViewState();
  if (handshakes === null && !mayCall(runEndpoints.measureParts)) return null;
  return (
    <Fold id="parts" title="Parts of the overhead" open={handshakes !== null}>
      <p>
        The difference in server CPU at load, split by what the same handshakes and bytes cost in the TLS lab.
      </p>
      <Card>
        <div className={classes.parts}>
          {handshakes === null ? (
            <Offer run={document.id} />
          ) : (
            <Parts key={handshakes} run={document.id} handshakes={handshakes} />
          )}
        </div>
      </Card>
    </Fold>
  );
}

function Offer({ run }: { run: string }) {
  const [, change] = useViewState();
  const measure = useMutation({
    mutationFn: () => callEndpoint(runEndpoints.measureParts, { params: { id: run } }),
    onSuccess: ({ id, deleteToken }) => {
      rememberDeleteToken(id, deleteToken);
      change({ handshakes: id });
    },
  });
  return (
    <>
      <p>
        The lab runs the handshake that this run negotiated, and sends bytes through its cipher, on this
        machine. That takes less than a minute. <Link to="/lab/explain">Explain</Link> samples the functions
        of a server instead.
      </p>
      {measure.error === null ? null : <ProblemNotice problem={problemOf(measure.error)} />}
      <div>
        <ActionButton variant="default" pending={measure.isPending} onClick={() => measure.mutate()}>
          Measure the parts
        </ActionButton>
      </div>
    </>
  );
}

function Parts({ run, handshakes }: { run: string; handshakes: string }) {
  const measurement = useQuery(measurementQuery(handshakes));
  if (measurement.error !== null) return <ProblemNotice problem={problemOf(measurement.error)} />;
  if (measurement.data === undefined) return <p>Loading measurement.</p>;
  const { state, kind } = measurement.data;
  return isOver(state) ? (
    <Result run={run} handshakes={handshakes} />
  ) : (
    <Progress handshakes={handshakes} kind={kind} />
  );
}

function Progress({ handshakes, kind }: { handshakes: string; kind: KindName }) {
  const queryClient = useQueryClient();
  const [fraction, setFraction] = useState(0);
  useMeasurementEvents(handshakes, kind, (batch) => {
    const told = batch.flatMap(({ event }) => (event.type === 'progress' ? [event.fraction] : []));
    setFraction((current) => Math.max(current, ...told));
    const ended = batch.some(({ event }) => event.type === 'end');
    if (ended) void queryClient.invalidateQueries(measurementQuery(handshakes));
  });
  return (
    <>
      <ProgressBar label="Progress of the lab" text="Measuring the parts in the lab" fraction={fraction} />
      <p>
        <Link to={`/l/${handshakes}`}>Watch it in the lab</Link>
      </p>
    </>
  );
}

function Result({ run, handshakes }: { run: string; handshakes: string }) {
  const attribution = useQuery(attributionQuery(run, handshakes));
  const [, change] = useViewState();
  if (attribution.error !== null) {
    return (
      <>
        <ProblemNotice problem={problemOf(attribution.error)} />
        <div>
          <Button variant="default" onClick={() => change({ handshakes: null })}>
            Measure again
          </Button>
        </div>
      </>
    );
  }
  if (attribution.data === undefined) return <p>Computing the parts.</p>;
  return (
    <>
      <PartsTable attribution={attribution.data} />
      <p>
        <Link to={`/l/${handshakes}`}>Open the lab measurement</Link>
      </p>
    </>
  );
}
