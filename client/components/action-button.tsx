import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './form.module.css';

type Props = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & {
    /** What it started is still going on. */
    pending?: boolean;
    /** It cannot be pressed now. */
    blocked?: boolean;
  };

/** Looks and reads as disabled while it cannot be pressed, but keeps the focus, which a button that is disabled loses. */
export function ActionButton({ pending = false, blocked = false, onClick, children, ...button }: Props) {
  const idle = !pending && !blocked;
  return (
    <Button
      {...button}
      aria-disabled={!idle}
      aria-busy={pending}
      {...(blocked ? { 'data-disabled': true } : {})}
      onClick={(event) => {
        if (idle) onClick?.(event);
        else event.preventDefault();
      }}
    >
      <span className={classes.words} data-pending={pending}>
        {children}
      </span>
      {pending ? (
        <span className={classes.spinner} aria-hidden="true">
          <Loader size="1.25em" color="currentColor" />
        </span>
      ) : null}
    </Button>
  );
}
