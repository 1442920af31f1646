import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/call-endpoint.ts';
import { ActionButton, ButtonRow, Dialog } from './action-button.tsx';
import { Notice, OriginalWords } from './card.tsx';
import { LinkedText } from './form-fields.tsx';

type Asked = {
  /** Such as `this run`. */
  what: string;
  /** What goes with it, in a sentence or two. */
  children: ReactNode;
  onDelete: () => Promise<unknown>;
  /** The answer that does it. */
  action?: string;
};

type Props = Asked & {
  name?: string;
  /** Stands in a row of small ones. */
  small?: boolean;
};

export function DeleteButton({ name = 'Delete', small = false, ...asked }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" size={small ? 'compact-sm' : 'sm'} onClick={() => setAsking(true)}>
        {name}
      </Button>
      <DeleteDialog {...asked} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

/** Asks first. */
export function DeleteDialog({
  what,
  children,
  onDelete,
  action = 'Delete for good',
  open,
  onClose,
}: Asked & { open: boolean; onClose: () => void }) {
  const remove = useMutation({ mutationFn: onDelete, onSuccess: onClose });
  return (
    <Dialog open={open} onClose={onClose} title={`Delete ${what}?`}>
      <p>{children}</p>
      <ProblemNotice error={remove.error} />
      <ButtonRow>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ActionButton pending={remove.isPending} onClick={() => remove.mutate()}>
          {action}
        </ActionButton>
      </ButtonRow>
    </Dialog>
  );
}

/** What went wrong, and what to try. Without an error it renders nothing. */
export function ProblemNotice({ error }: { error: unknown }) {
  if (error === null) return null;
  const { title, detail, advice, fields, details } = problemOf(error);
  return (
    <Notice tone="bad" title={title} announce="alert">
      <p>
        <LinkedText>{detail}</LinkedText>
      </p>
      {fields.length < 2 ? null : (
        <ul>
          {fields.map(({ field, message }) => (
            <li key={field + message}>
              {field}: {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        <LinkedText>{advice}</LinkedText>
      </p>
      <OriginalWords>{details}</OriginalWords>
    </Notice>
  );
}
