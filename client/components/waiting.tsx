import classes from './page.module.css';

/** Says what is awaited, after a moment: an answer that comes at once should not flash. */
export function Waiting({ children }: { children: string }) {
  return (
    <p className={classes.waiting} role="status">
      {children} …
    </p>
  );
}
