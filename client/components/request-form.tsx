import type { ReactNode } from 'react';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { mayCall } from '../api/identity.ts';
import { troubleOf } from '../api/trouble.ts';
import { ActionButton } from './action-button.tsx';
import { Card } from './card.tsx';
import classes from './request-form.module.css';
import { TroubleNotice } from './trouble-notice.tsx';

type Props = {
  /** Who may not call it sees no form. */
  calls: Pick<Endpoint, 'access'>;
  /** The fields. */
  children: ReactNode;
  /** The button that sends them. */
  action: string;
  onSubmit: () => void;
  pending: boolean;
  /** Of the last time that they were sent, unless a field says it. */
  error: Error | null;
  /** Why they cannot be sent as they are. */
  refusal?: string | null;
  /** More buttons. */
  beside?: ReactNode;
};

/** Fields in a card, what was answered to them, and the button that sends them. */
export function RequestForm({
  calls,
  children,
  action,
  onSubmit,
  pending,
  error,
  refusal = null,
  beside,
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
        {error === null ? null : <TroubleNotice trouble={troubleOf(error)} />}
        <div className={classes.actions}>
          <ActionButton
            type="submit"
            size="md"
            blocked={refusal !== null}
            pending={pending}
            aria-describedby={refusal === null ? undefined : 'form-refusal'}
          >
            {action}
          </ActionButton>
          {beside}
          {refusal === null ? null : (
            <p id="form-refusal" className={classes.refusal}>
              {refusal}
            </p>
          )}
        </div>
      </form>
    </Card>
  );
}
