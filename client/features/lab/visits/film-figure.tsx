import { type BySide, sideNames } from '../../../../shared/base/transport.ts';
import type { Film } from '../../../../shared/kinds/visits/waterfall.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { ScrollRegion } from '../../../components/scroll-region.tsx';
import { SideMark } from '../../../components/side-mark.tsx';
import type { Sides } from '../../../format/side.ts';
import classes from '../lab.module.css';
import { filmColumns, printMoment, printTime } from './waterfall-view.ts';

type Props = { film: BySide<Film>; index: number; sides: Sides };

/** What the page looked like, both sides at the same moments. Nothing where no picture was taken. */
export function FilmFigure({ film, index, sides }: Props) {
  const columns = filmColumns(film, index);
  if (columns.length === 0) return null;
  const firsts = sideNames.map((side) => {
    const first = film[side][index]?.frames[0];
    const shown = first === undefined ? 'shows nothing' : `after ${printTime(first.atUs)}`;
    return `${sides[side].label} ${shown}`;
  });
  const words = `First picture: ${firsts.join(', ')}`;
  return (
    <Figure
      caption={`${words}.`}
      marks="Filmed on one extra first visit of each side. Filming slows the browser down, so these times are in no figure above. A frame with a thick border is new."
      height={null}
      table={<FrameTable film={film} index={index} sides={sides} />}
    >
      <ScrollRegion label="Filmstrip">
        <div className={classes.film} role="img" aria-label={`Filmstrip of both sides. ${words}.`}>
          {sideNames.map((side) => (
            <div key={side} aria-hidden="true">
              <p className={classes.head}>
                <SideMark {...sides[side]} /> {sides[side].label}
              </p>
              <ol className={classes.strip}>
                {columns.map(({ atUs, pictures }) => (
                  <Frame key={atUs} atUs={atUs} shown={pictures[side]} color={sides[side].color} />
                ))}
              </ol>
            </div>
          ))}
        </div>
      </ScrollRegion>
    </Figure>
  );
}

type FrameProps = { atUs: number; shown: { picture: string; isNew: boolean } | null; color: string };

function Frame({ atUs, shown, color }: FrameProps) {
  return (
    <li className={classes.frame}>
      {shown === null ? (
        <span className={classes.blank} />
      ) : (
        <img
          src={`data:image/jpeg;base64,${shown.picture}`}
          alt=""
          data-new={shown.isNew}
          style={shown.isNew ? { borderColor: color } : undefined}
        />
      )}
      <span>{printMoment(atUs)}</span>
    </li>
  );
}

function FrameTable({ film, index, sides }: Props) {
  const rows = sideNames.flatMap((side) =>
    (film[side][index]?.frames ?? []).map(({ atUs }, place) => ({
      key: `${side} ${place}`,
      side: sides[side].label,
      place: place + 1,
      at: printTime(atUs),
    })),
  );
  return (
    <DataTable
      caption="Pictures of the page on both sides"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { label: 'Side', cell: ({ side }) => side },
        { label: 'Picture', cell: ({ place }) => place },
        { label: 'Shown from', cell: ({ at }) => at },
      ]}
    />
  );
}
