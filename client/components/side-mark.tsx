import classes from './figure.module.css';

type Looks = { color: string; dashed: boolean; marker: 'circle' | 'diamond' };

/** A short line with its marker, as the charts draw it. */
export function SideMark({ color, dashed, marker }: Looks) {
  return (
    <svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" className={classes.sideMark}>
      <path
        d={dashed ? 'M1 6h5M20 6h5' : 'M1 6h24'}
        stroke={color}
        strokeWidth="2"
        strokeLinecap="round"
        fill="none"
      />
      {marker === 'circle' ? (
        <circle cx="13" cy="6" r="4" fill={color} />
      ) : (
        <path d="M13 1l5 5-5 5-5-5Z" fill={color} />
      )}
    </svg>
  );
}
