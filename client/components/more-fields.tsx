import { type ReactNode, useState } from 'react';
import classes from './more-fields.module.css';

type Props = {
  title: string;
  /** Something among them must be seen, such as what is wrong. */
  open?: boolean;
  children: ReactNode;
};

/** Fields that most people leave as they are, folded away. They are made once they are unfolded: on most visits never. */
export function MoreFields({ title, open = false, children }: Props) {
  const [unfolded, setUnfolded] = useState(false);
  return (
    <details className={classes.more} open={open ? true : undefined} onToggle={() => setUnfolded(true)}>
      <summary>{title}</summary>
      {open || unfolded ? children : null}
    </details>
  );
}
