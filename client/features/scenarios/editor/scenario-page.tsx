import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ProblemError } from '../../../../shared/base/problem.ts';
import { scenarioQuery } from '../../../api/queries.ts';
import { Waiting } from '../../../components/waiting.tsx';
import { Editor } from './editor.tsx';

/** `/scenarios/new`, or a scenario in its newest revision. */
export default function ScenarioPage() {
  const { id = '' } = useParams();
  return id === 'new' ? <Editor key="new" stored={null} /> : <Stored key={id} id={id} />;
}

function Stored({ id }: { id: string }) {
  const scenario = useQuery({
    ...scenarioQuery(id),
    throwOnError: (error, query) => error instanceof ProblemError || query.state.data === undefined,
    // What is being edited must not be replaced under the user's hands.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  // Nor is an older copy edited that some other screen has left.
  if (scenario.data === undefined || !scenario.isFetchedAfterMount)
    return <Waiting>Loading the scenario</Waiting>;
  return <Editor stored={scenario.data} />;
}
