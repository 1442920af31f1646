import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callEndpoint } from '../../../api/call-endpoint.ts';
import { troubleOf } from '../../../api/trouble.ts';
import { ButtonRow } from '../../../components/button-row.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TroubleNotice } from '../../../components/trouble-notice.tsx';
import { printCount } from '../../../format/count.ts';

export function CancelButton({ id, blocks }: { id: string; blocks: number }) {
  const [asking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: (keep: boolean) => callEndpoint('cancelRun', { params: { id }, body: { keep } }),
    onSuccess: () => setAsking(false),
  });
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
        {cancel.isSuccess ? 'Cancelling' : 'Cancel the run'}
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title="Cancel this run?">
        <p>
          {blocks === 0
            ? 'No block has been measured yet.'
            : `${printCount(blocks, 'block')} measured so far. Kept, they stay at this address, labelled incomplete.`}
        </p>
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
