import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { troubleOf } from '../api/trouble.ts';
import { ActionButton } from './action-button.tsx';
import { ButtonRow } from './button-row.tsx';
import { Dialog } from './dialog.tsx';
import { TroubleNotice } from './trouble-notice.tsx';

type Props = {
  /** Such as `run`. */
  what: string;
  onDelete: () => Promise<unknown>;
};

export function DeleteButton({ what, onDelete }: Props) {
  const [asking, setAsking] = useState(false);
  const remove = useMutation({ mutationFn: onDelete });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Delete this ${what}?`}>
        <p>Its numbers are removed for good, and its link says that it was deleted.</p>
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
