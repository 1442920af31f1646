import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './page.module.css';

type Props = { open: boolean; title: string; onClose: () => void; children: ReactNode };

/**
 * A question that must be answered first. The browser's own dialog keeps the focus inside, closes on Escape and gives the
 * focus back. The first button has it at the start, so the harmless answer stands first.
 */
export function Dialog({ open, title, onClose, children }: Props) {
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
      className={classes.dialog}
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
