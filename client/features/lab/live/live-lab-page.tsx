import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { LabDocument } from '../../../../shared/lab-document.ts';
import { printNumber } from '../../../../shared/quantity.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { labQuery } from '../../../api/queries.ts';
import { useLabEvents } from '../../../api/use-event-log.ts';
import { CancelButton } from '../../../components/cancel-button.tsx';
import { Card } from '../../../components/card.tsx';
import { ConnectionNotice } from '../../../components/connection-notice.tsx';
import { LongTable } from '../../../components/long-table.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProgressBar } from '../../../components/progress-bar.tsx';
import { Section } from '../../../components/section.tsx';
import { printTimeLeft } from '../../../format/duration.ts';
import classes from '../lab-card.module.css';
import { beginLiveLab, followLabEvents, type LiveLab } from './live-lab.ts';

/** A measurement of the lab that waits or goes on, with what its cells show so far. */
export function LiveLabPage({ document: { id, state, kind } }: { document: LabDocument }) {
  const queryClient = useQueryClient();
  const [lab, setLab] = useState(() => beginLiveLab(state));
  const connection = useLabEvents(id, (batch) => {
    setLab((current) => followLabEvents(current, batch));
    const moved = batch.some(({ event }) => event.type === 'end' || event.type === 'state');
    if (moved) void queryClient.invalidateQueries(labQuery(id));
  });
  const waiting = lab.state === 'queued';
  return (
    <>
      <PageHead
        tab={waiting ? 'Waiting' : `${Math.round(lab.fraction * 100)} % measured`}
        title={waiting ? 'The lab waits for its turn' : titles[kind]}
      >
        <p>
          {waiting
            ? 'One measurement at a time: two at once would measure each other.'
            : 'All figures take turns in random order, round after round. Leave the page if you like, the measurement does not need it.'}
        </p>
      </PageHead>
      <ConnectionNotice connection={connection} what="measurement" />
      <Card>
        <div className={classes.form}>
          {waiting ? (
            <p>{placeOf(lab)}</p>
          ) : (
            <ProgressBar
              label="Progress of the measurement"
              text={progressText(lab)}
              fraction={lab.fraction}
            />
          )}
          <CancelButton
            what="measurement"
            onCancel={(keep) => callEndpoint('cancelLab', { params: { id }, body: { keep } })}
          >
            {lab.roundsDone === 0
              ? 'No round has been measured yet.'
              : 'Kept, the rounds so far stay at this address, labelled incomplete.'}
          </CancelButton>
        </div>
      </Card>
      {lab.cells.size === 0 ? null : (
        <Section id="cells" title="So far" lead="Provisional medians of all rounds until now.">
          <Card flush>
            <LongTable
              first={12}
              what="figure"
              caption="Measured so far"
              rows={[...lab.cells]}
              keyOf={([cell]) => cell}
              columns={[
                { label: 'Figure', cell: ([cell]) => cell.split('/').join(' · ') },
                {
                  label: 'CPU, µs',
                  numeric: true,
                  cell: ([, median]) => printNumber(median, median < 10 ? 2 : 0),
                },
              ]}
            />
          </Card>
        </Section>
      )}
    </>
  );
}

function placeOf({ queuePosition }: LiveLab): string {
  if (queuePosition === null) return 'In the queue.';
  return queuePosition === 1 ? 'Next in the queue.' : `Number ${queuePosition} in the queue.`;
}

const titles = {
  handshakes: 'Measuring handshakes',
  speed: 'Measuring primitives',
  browser: 'Visiting both sides in a browser',
};

const phaseWords = {
  preparing: 'Making keys and certificates',
  'warm-up': 'Warming up',
  measuring: 'Measuring',
  'ends apart': 'Measuring each end in a process of its own',
};

function progressText({ phase, roundsDone, roundsPlanned, secondsLeft }: LiveLab): string {
  const what = phase === null ? 'Beginning' : phaseWords[phase];
  const rounds = phase === 'measuring' ? `, ${roundsDone} of ${roundsPlanned} rounds` : '';
  return `${what}${rounds}${secondsLeft === null ? '' : `, ${printTimeLeft(secondsLeft)}`}`;
}
