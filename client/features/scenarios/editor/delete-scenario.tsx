import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { troubleOf } from '../../../api/trouble.ts';
import { ActionButton } from '../../../components/action-button.tsx';
import { ButtonRow } from '../../../components/button-row.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TroubleNotice } from '../../../components/trouble-notice.tsx';

export function DeleteScenario({ id, name }: { id: string; name: string }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callEndpoint('deleteScenario', { params: { id } }),
    onSuccess: async () => {
      await navigate('/scenarios');
      queryClient.removeQueries({ queryKey: ['scenario', id] });
      await queryClient.invalidateQueries({ queryKey: ['scenarios'] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Delete “${name}”?`}>
        <p>It leaves the list for good. The revisions that runs used stay at their addresses.</p>
        {remove.error === null ? null : <TroubleNotice trouble={troubleOf(remove.error)} />}
        <ButtonRow>
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <ActionButton pending={remove.isPending} onClick={() => remove.mutate()}>
            Delete for good
          </ActionButton>
        </ButtonRow>
      </Dialog>
    </>
  );
}
