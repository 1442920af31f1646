import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { troubleOf } from '../api/trouble.ts';
import { ButtonRow } from './button-row.tsx';
import { Dialog } from './dialog.tsx';
import { TroubleNotice } from './trouble-notice.tsx';

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
  const answer = (keep: boolean) => {
    if (!cancel.isPending) cancel.mutate(keep);
  };
  return (
    <div>
      <Button
        variant="default"
        {...busy(cancel.isSuccess)}
        onClick={() => {
          if (cancel.isSuccess) return;
          cancel.reset();
          setAsking(true);
        }}
      >
        {cancel.isSuccess ? 'Cancelling' : `Cancel the ${what}`}
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Cancel this ${what}?`}>
        <p>{children}</p>
        {cancel.error === null ? null : <TroubleNotice trouble={troubleOf(cancel.error)} />}
        <ButtonRow>
          <Button {...busy(cancel.isPending)} onClick={() => answer(true)}>
            Cancel and keep
          </Button>
          <Button variant="default" {...busy(cancel.isPending)} onClick={() => answer(false)}>
            Cancel and discard
          </Button>
          <Button variant="subtle" onClick={() => setAsking(false)}>
            Go on measuring
          </Button>
        </ButtonRow>
      </Dialog>
    </div>
  );
}

/** Looks and reads as disabled, but keeps the focus: a button that is disabled gives it away. */
function busy(isBusy: boolean) {
  return isBusy ? { 'data-disabled': true, 'aria-disabled': true } : {};
}
