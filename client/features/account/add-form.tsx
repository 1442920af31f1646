import type { ReactNode } from 'react';
import { ActionButton } from '../../components/action-button.tsx';
import { Form } from '../../components/target-fields.tsx';
import classes from './account.module.css';

type Props = {
  action: string;
  pending: boolean;
  onAdd: () => Promise<unknown>;
  /** Why it failed is shown elsewhere, and what was typed stays. */
  onAdded: () => void;
  children: ReactNode;
};

/** Fields, and the button that adds what they say. */
export function AddForm({ action, pending, onAdd, onAdded, children }: Props) {
  return (
    <Form className={classes.form} onSubmit={() => onAdd().then(onAdded, () => undefined)}>
      {children}
      <div>
        <ActionButton type="submit" pending={pending}>
          {action}
        </ActionButton>
      </div>
    </Form>
  );
}
