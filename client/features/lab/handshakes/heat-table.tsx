import { printNumber } from '../../../../shared/base/quantity.ts';
import type { MeasuredCell } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { ScrollRegion } from '../../../components/scroll-region.tsx';
import { Section } from '../../../components/section.tsx';
import classes from '../lab.module.css';
import { heatOf } from './heat.ts';

/** Key by key agreement, full handshakes: the darker, the dearer. */
export function HeatTable({ cells }: { cells: readonly MeasuredCell[] }) {
  const heat = heatOf(cells);
  if (heat === null) return null;
  return (
    <Section
      id="heat"
      title="Key by key agreement"
      lead={`Median CPU of a full handshake in µs, ${heat.of}. Darker is more expensive.`}
      card="flush"
    >
      <ScrollRegion label="Key by key agreement">
        <table className={classes.heat}>
          <caption className="hidden">Median CPU of a full handshake, µs</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              {heat.groups.map((group) => (
                <th key={group} scope="col">
                  {group}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {heat.rows.map(({ key, values }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                {values.map(({ group, us, share }) => (
                  <td
                    key={group}
                    style={
                      us === null
                        ? undefined
                        : {
                            background: `color-mix(in srgb, var(--second) ${Math.round(6 + share * 44)}%, var(--surface))`,
                          }
                    }
                  >
                    {us === null ? '–' : printNumber(us, 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  );
}
