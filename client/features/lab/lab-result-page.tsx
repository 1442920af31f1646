import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useParams } from 'react-router';
import { ProblemError, problem } from '../../../shared/problem.ts';
import { isOver } from '../../../shared/run.ts';
import { permalinkIdSchema } from '../../../shared/units.ts';
import { labQuery } from '../../api/queries.ts';
import { Waiting } from '../../components/waiting.tsx';
import { BrowserPage } from './browser/browser-page.tsx';
import { HandshakesPage } from './handshakes/handshakes-page.tsx';
import { LiveLabPage } from './live/live-lab-page.tsx';
import { SpeedPage } from './speed/speed-page.tsx';

/** One address: live while it waits and measures, then the result of its kind. */
export default function LabResultPage() {
  const { id = '' } = useParams();
  if (!permalinkIdSchema.safeParse(id).success) {
    throw problem('run_not_found', 'The id of a measurement is 22 letters and digits.');
  }
  return <LabResult key={id} id={id} />;
}

function LabResult({ id }: { id: string }) {
  const lab = useQuery({
    ...labQuery(id),
    throwOnError: (error, query) => error instanceof ProblemError || query.state.data === undefined,
  });
  const wasLive = useRef(false);
  if (lab.data === undefined) return <Waiting>Opening the measurement</Waiting>;
  if (!isOver(lab.data.state)) {
    wasLive.current = true;
    return <LiveLabPage document={lab.data} />;
  }
  const takeFocus = wasLive.current;
  switch (lab.data.kind) {
    case 'handshakes':
      return <HandshakesPage document={lab.data} takeFocus={takeFocus} />;
    case 'speed':
      return <SpeedPage document={lab.data} takeFocus={takeFocus} />;
    case 'browser':
      return <BrowserPage document={lab.data} takeFocus={takeFocus} />;
  }
}
