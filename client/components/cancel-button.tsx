import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActionButton } from './action-button.tsx';
import { ButtonRow } from './button-row.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';

type Props = {
  /** Such as `run`. */
  what: string;
  /** What there is to keep, in a sentence or two. */
  children: ReactNode;
  onCancel: (keep: boolean) => Promise<unknown>;
};

export function CancelButton({ what, children, onCancel }: Props) {
  const [asking, setAsking] = useState(false);
  const cancel = useMutation({ mutationFn: onCancel, onSuccess: () => setAsking(false) });
  return (
    <div>
      <ActionButton
        variant="default"
        blocked={cancel.isSuccess}
        onClick={() => {
          cancel.reset();
          setAsking(true);
        }}
      >
        {cancel.isSuccess ? 'Canceling' : `Cancel the ${what}`}
      </ActionButton>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Cancel this ${what}?`}>
        <p>{children} It ends within 5 s.</p>
        <ProblemNotice error={cancel.error} />
        <ButtonRow>
          <ActionButton blocked={cancel.isPending} onClick={() => cancel.mutate(true)}>
            Cancel and keep
          </ActionButton>
          <ActionButton variant="default" blocked={cancel.isPending} onClick={() => cancel.mutate(false)}>
            Cancel and discard
          </ActionButton>
          <Button variant="subtle" onClick={() => setAsking(false)}>
            Keep measuring
          </Button>
        </ButtonRow>
      </Dialog>
    </div>
  );
}
