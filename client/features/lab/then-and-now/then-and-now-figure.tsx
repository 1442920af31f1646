import { printNumber } from '../../../../shared/base/quantity.ts';
import { useAddress } from '../../../components/measured-servers.tsx';
import { ChoicePills } from '../../../components/pills.tsx';
import { LinesFigure } from '../lines-figure.tsx';
import type { Curves } from './grid-curves.ts';

/** An old table beside today's, one algorithm or suite at a time, both axes logarithmic. */
export function ThenAndNowFigure({ legend, curves }: { legend: string; curves: readonly Curves[] }) {
  const names = curves.map(({ name }) => name);
  const [chosen, choose] = useAddress('then', names, names[0] ?? '');
  const shown = curves.find(({ name }) => name === chosen);
  if (shown === undefined) return null;
  const { name, x, y, lines, caption } = shown;
  return (
    <>
      <ChoicePills
        legend={legend}
        name="then"
        value={name}
        choices={names.map((each) => ({ value: each, label: each }))}
        onChange={choose}
      />
      <LinesFigure
        label={`${name} then and now`}
        caption={caption}
        lines={lines}
        x={x}
        y={y}
        table={{ caption: `${name}: ${y}`, head: x }}
        print={(value) => printNumber(value, value < 10 ? 2 : value < 100 ? 1 : 0)}
      />
    </>
  );
}
