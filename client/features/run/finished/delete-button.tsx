import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { forgetDeleteToken } from '../../../api/delete-tokens.ts';
import { runQuery } from '../../../api/queries.ts';
import { troubleOf } from '../../../api/trouble.ts';
import { ButtonRow } from '../../../components/button-row.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TroubleNotice } from '../../../components/trouble-notice.tsx';

/** Offered where the token is: in the browser that started the run. */
export function DeleteButton({ id, token }: { id: string; token: string }) {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => callEndpoint('deleteRun', { params: { id }, headers: { 'x-delete-token': token } }),
    onSuccess: async () => {
      forgetDeleteToken(id);
      await queryClient.invalidateQueries({ queryKey: ['runs'] });
      // Asked for again, the run is gone, and the page says so.
      await queryClient.resetQueries(runQuery(id));
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Delete this run?">
        <p>Its numbers are removed for good, and its link says that it was deleted.</p>
        {remove.error === null ? null : <TroubleNotice trouble={troubleOf(remove.error)} />}
        <ButtonRow>
          <Button variant="default" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete for good
          </Button>
        </ButtonRow>
      </Dialog>
    </>
  );
}
