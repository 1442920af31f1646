import classes from './figure.module.css';
import { SideMark } from './side-mark.tsx';

type Item = { label: string; color: string; dashed: boolean; marker: 'circle' | 'diamond' };

/** Lines and markers as drawn; `band` names the shaded range, if there is one. */
export function Legend({ items, band }: { items: readonly Item[]; band?: string | undefined }) {
  return (
    <ul className={classes.legend}>
      {items.map((item) => (
        <li key={item.label}>
          <SideMark {...item} /> {item.label}
        </li>
      ))}
      {band === undefined ? null : (
        <li>
          <span className={classes.band} /> {band}
        </li>
      )}
    </ul>
  );
}
