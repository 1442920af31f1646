import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useParams } from 'react-router';
import { ProblemError, problem } from '../../../shared/problem.ts';
import { isOver } from '../../../shared/run.ts';
import { permalinkIdSchema } from '../../../shared/units.ts';
import { runQuery } from '../../api/queries.ts';
import { Waiting } from '../../components/waiting.tsx';
import { FinishedPage } from './finished/finished-page.tsx';
import { LivePage } from './live/live-page.tsx';

/** One address, three modes: waiting and running are the live page, everything else is the finished one. */
export default function RunPage() {
  const { id = '' } = useParams();
  if (!permalinkIdSchema.safeParse(id).success) {
    throw problem('run_not_found', 'The id of a run is 22 letters and digits.');
  }
  return <Run key={id} id={id} />;
}

function Run({ id }: { id: string }) {
  const run = useQuery({
    ...runQuery(id),
    throwOnError: (error, query) => error instanceof ProblemError || query.state.data === undefined,
  });
  const wasLive = useRef(false);
  if (run.data === undefined) return <Waiting>Opening the run</Waiting>;
  if (!isOver(run.data.state)) {
    wasLive.current = true;
    return <LivePage document={run.data} />;
  }
  return <FinishedPage document={run.data} takeFocus={wasLive.current} />;
}
