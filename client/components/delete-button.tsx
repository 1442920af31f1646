import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/problem-of.ts';
import { ActionButton } from './action-button.tsx';
import { ButtonRow } from './button-row.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './problem-notice.tsx';

type Props = {
  /** Such as `this run`. */
  what: string;
  /** What goes with it, in a sentence or two. */
  children: ReactNode;
  onDelete: () => Promise<unknown>;
  /** What it is called. */
  name?: string;
  /** The answer that does it. */
  action?: string;
  /** Stands in a row of small ones. */
  small?: boolean;
};

export function DeleteButton({
  what,
  children,
  onDelete,
  name = 'Delete',
  action = 'Delete for good',
  small = false,
}: Props) {
  const [asking, setAsking] = useState(false);
  const remove = useMutation({ mutationFn: onDelete, onSuccess: () => setAsking(false) });
  return (
    <>
      <Button variant="default" size={small ? 'compact-sm' : 'sm'} onClick={() => setAsking(true)}>
        {name}
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Delete ${what}?`}>
        <p>{children}</p>
        {remove.error === null ? null : <ProblemNotice problem={problemOf(remove.error)} />}
        <ButtonRow>
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <ActionButton pending={remove.isPending} onClick={() => remove.mutate()}>
            {action}
          </ActionButton>
        </ButtonRow>
      </Dialog>
    </>
  );
}
