import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { scenarioEndpoints } from '../../../../shared/api/scenario-endpoints.ts';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { DeleteButton } from '../../../components/delete-button.tsx';

export function DeleteScenario({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  async function remove() {
    await callEndpoint(scenarioEndpoints.deleteScenario, { params: { id } });
    await navigate('/scenarios');
    queryClient.removeQueries({ queryKey: ['scenario', id] });
    await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
  }
  return (
    <DeleteButton what={`“${name}”`} onDelete={remove}>
      The scenario is removed from the list. Revisions that runs used keep their links.
    </DeleteButton>
  );
}
