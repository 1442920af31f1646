import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunDocument } from '../../../../shared/run.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { runQuery } from '../../../api/queries.ts';
import { useRunEvents } from '../../../api/use-event-log.ts';
import { CancelButton } from '../../../components/cancel-button.tsx';
import { Card } from '../../../components/card.tsx';
import { ConnectionNotice } from '../../../components/connection-notice.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProgressBar } from '../../../components/progress-bar.tsx';
import { Section } from '../../../components/section.tsx';
import { printCount } from '../../../format/count.ts';
import { sidesOf } from '../../../format/side.ts';
import { ErrorTable } from '../error-table.tsx';
import { BlockLog } from './block-log.tsx';
import { LiveChart } from './live-chart.tsx';
import { LiveMedians } from './live-medians.tsx';
import classes from './live-page.module.css';
import { beginLiveRun, followEvents, type LiveRun } from './live-run.ts';
import { PhaseList } from './phase-list.tsx';
import { progressText } from './progress-text.ts';

/** A run that waits or goes on. It shows medians and blocks, never a verdict: looking early is how false alarms are made. */
export function LivePage({ document }: { document: RunDocument }) {
  const queryClient = useQueryClient();
  const [run, setRun] = useState(() => beginLiveRun(document.state));
  const connection = useRunEvents(document.id, (batch) => {
    setRun((current) => followEvents(current, batch));
    const moved = batch.some(({ event }) => event.type === 'end' || event.type === 'state');
    if (moved) void queryClient.invalidateQueries(runQuery(document.id));
  });
  const sides = sidesOf(document.sides);
  const waiting = run.state === 'queued';

  return (
    <>
      <PageHead
        tab={waiting ? 'Waiting' : `${Math.round(run.fraction * 100)} % measured`}
        title={titleOf(document, waiting)}
      >
        <p>{leadOf(document, run)}</p>
      </PageHead>
      <div className={classes.stack}>
        <ConnectionNotice connection={connection} what="run" />
        <Card>
          <div className={classes.now}>
            {waiting ? (
              <p className={classes.place}>{placeOf(run)}</p>
            ) : (
              <>
                <ProgressBar label="Progress of the run" text={progressText(run)} fraction={run.fraction} />
                <PhaseList current={run.phase} />
              </>
            )}
            <CancelButton
              what="run"
              onCancel={(keep) => callEndpoint('cancelRun', { params: { id: document.id }, body: { keep } })}
            >
              {run.blocksDone === 0
                ? 'No block has been measured yet.'
                : `${printCount(run.blocksDone, 'block')} measured so far. Kept, they stay at this address, labelled incomplete.`}
            </CancelButton>
          </div>
        </Card>
        {run.errors.length === 0 ? null : (
          <Section id="errors" title="Errors so far">
            <Card flush>
              <ErrorTable groups={run.errors} />
            </Card>
          </Section>
        )}
        {run.blocks.length === 0 ? null : (
          <div className={classes.news}>
            <LiveMedians run={run} sides={sides} />
            <div>
              <LiveChart run={run} sides={sides} />
              <BlockLog run={run} />
            </div>
          </div>
        )}
      </div>
    </>
  );
}

function titleOf({ scenario }: RunDocument, waiting: boolean): string {
  return waiting ? `${scenario.name} waits for its turn` : `Measuring ${scenario.name}`;
}

function leadOf(document: RunDocument, run: LiveRun): string {
  if (run.state === 'queued') return 'One run at a time: two at once would measure each other.';
  const { baseline, comparison } = sidesOf(document.sides);
  return `${baseline.label} and ${comparison.label} take turns in random order. Nothing is judged before the last block; leave the page if you like, the run does not need it.`;
}

function placeOf({ queuePosition }: LiveRun): string {
  if (queuePosition === null) return 'In the queue.';
  return queuePosition === 1 ? 'Next in the queue.' : `Number ${queuePosition} in the queue.`;
}
