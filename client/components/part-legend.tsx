import classes from './figure.module.css';

type Props = {
  /** From left to right, as they stand in a bar. */
  parts: readonly { label: string; fill: 'hatched' | 'solid' | 'half' | 'pale' }[];
  /** The colors that each part is drawn in. */
  colors: readonly string[];
};

/** What the shades of stacked bars stand for. */
export function PartLegend({ parts, colors }: Props) {
  return (
    <ul className={classes.legend}>
      {parts.map(({ label, fill }) => (
        <li key={label}>
          <span className={classes.swatches}>
            {colors.map((color) => (
              <span key={color} className={classes.swatch} data-fill={fill} style={{ color }} />
            ))}
          </span>{' '}
          {label}
        </li>
      ))}
    </ul>
  );
}
