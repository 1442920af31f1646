import type { ReactNode } from 'react';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { mayCall } from '../api/identity.ts';
import { ActionButton } from './action-button.tsx';
import { ProblemNotice } from './answer.tsx';
import { Card } from './card.tsx';
import classes from './form.module.css';

type Props = {
  /** Who may not call it sees no form. */
  calls: Pick<Endpoint, 'access'>;
  children: ReactNode;
  action: string;
  onSubmit: () => void;
  pending: boolean;
  /** Error of the last attempt to send the form, unless a field shows it. */
  error: Error | null;
  /** Why they cannot be sent as they are. */
  problem?: string | null;
  beside?: ReactNode;
  /** Below the buttons: what is seldom set. On a phone the buttons then stay in view at the bottom of the window. */
  below?: ReactNode;
};

export function RequestForm({
  calls,
  children,
  action,
  onSubmit,
  pending,
  error,
  problem = null,
  beside,
  below,
}: Props) {
  if (!mayCall(calls)) return null;
  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <ProblemNotice error={error} />
        <div className={classes.actions} data-pinned={below === undefined ? undefined : true}>
          <ActionButton
            type="submit"
            size="md"
            blocked={problem !== null}
            pending={pending}
            aria-describedby={problem === null ? undefined : 'form-problem'}
          >
            {action}
          </ActionButton>
          {beside}
          {problem === null ? null : (
            <p id="form-problem" className={classes.problem}>
              {problem}
            </p>
          )}
        </div>
        {below}
      </form>
    </Card>
  );
}
