import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ActionButton, ButtonRow } from './action-button.tsx';
import { ProblemNotice } from './answer.tsx';
import dialogClasses from './page.module.css';

type DialogProps = { open: boolean; title: string; onClose: () => void; children: ReactNode };

/**
 * A question that must be answered first. The browser's own dialog keeps the focus inside, closes on Escape and gives the
 * focus back. The first button has it at the start, so the harmless answer stands first.
 */
export function Dialog({ open, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [shown, setShown] = useState(open);
  if (open && !shown) setShown(true);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={dialogClasses.dialog}
      aria-labelledby={titleId}
      onClose={() => {
        setShown(false);
        onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {shown ? children : null}
    </dialog>
  );
}

let guarded: { pathname: string; index: number; mayLeave(): boolean } | null = null;

let returning = false;

/**
 * Asks before the Back or Forward button leaves the page, until the returned function is called. Links ask too, and the browser asks
 * before it closes the tab.
 */
export function guardHistory(mayLeave: () => boolean): () => void {
  guarded = { pathname: location.pathname, index: indexOf(history.state), mayLeave };
  return () => {
    guarded = null;
  };
}

/**
 * To be called before the router is mounted: a window calls its listeners in their order. The address has changed by then,
 * so a user who wants to stay is brought back, and the router sees neither.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', (event) => {
    if (returning) {
      returning = false;
      event.stopImmediatePropagation();
    } else if (guarded?.pathname === location.pathname) {
      guarded.index = indexOf(event.state);
    } else if (guarded !== null && !guarded.mayLeave()) {
      event.stopImmediatePropagation();
      returning = true;
      history.go(guarded.index - indexOf(event.state) || 1);
    }
  });
}

/** The place of a page in the history, which the router keeps there; 0 where it does not. */
function indexOf(state: unknown): number {
  const index = (state as { idx?: unknown } | null)?.idx;
  return typeof index === 'number' ? index : 0;
}

type Asked = {
  /** Such as `this run`. */
  what: string;
  /** Consequences of the deletion, in a sentence or two. */
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
