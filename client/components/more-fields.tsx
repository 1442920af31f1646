import { type ReactNode, useState } from 'react';
import classes from './form.module.css';

type Props = {
  title: string;
  /** Something among them must be seen, such as what is wrong. They open when it begins; the reader may close them. */
  open?: boolean;
  children: ReactNode;
};

/** Fields that most people leave as they are, folded away. They are made once they are unfolded: on most visits never. */
export function MoreFields({ title, open = false, children }: Props) {
  const [fold, setFold] = useState<'never' | 'open' | 'closed'>(open ? 'open' : 'never');
  const [mustBeSeen, setMustBeSeen] = useState(open);
  if (open !== mustBeSeen) {
    setMustBeSeen(open);
    if (open) setFold('open');
  }
  return (
    <details
      className={classes.more}
      open={fold === 'open'}
      onToggle={({ currentTarget }) => setFold(currentTarget.open ? 'open' : 'closed')}
    >
      <summary>{title}</summary>
      {fold === 'never' ? null : children}
    </details>
  );
}
