import classes from './legend.module.css';
import { SideMark } from './side-mark.tsx';

type Item = { label: string; color: string; dashed: boolean; marker: 'circle' | 'diamond' };

export function Legend({ items }: { items: readonly Item[] }) {
  return (
    <ul className={classes.legend}>
      {items.map((item) => (
        <li key={item.label}>
          <SideMark {...item} /> {item.label}
        </li>
      ))}
    </ul>
  );
}
