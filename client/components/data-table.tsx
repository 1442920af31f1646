import { Button } from '@mantine/core';
import {
  Component,
  type ComponentProps,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { keyOfPart } from '../../shared/report/report.ts';
import type { XyChartProps } from '../charts/xy-chart.tsx';
import { printCount } from '../format/printed-figures.ts';
import { Section } from './card.tsx';
import figureClasses from './figure.module.css';
import { SideMark } from './pills.tsx';
import classes from './table.module.css';

export type Column<Row> = {
  label: string;
  /** Stands above the column in place of its label, such as an axis. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Aligned to the right, in figures of one width: unless it says otherwise, every column but the first. */
  numeric?: boolean;
  /** Figure of the row's quantity that stands in the column, such as `first` or `difference`. */
  part?: string;
};

type Props<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  testId?: string;
  /** Key of a row's quantity. */
  of?: ((row: Row) => string | undefined) | undefined;
  /** Columns are text unless they say `numeric`. */
  text?: boolean;
  /** Cards on a narrow screen; a table with many short rows scrolls inside its box instead. */
  narrow?: 'cards' | 'scroll';
};

/**
 * A table whose first column heads its rows. On a narrow screen every row becomes a card; as that changes how it is laid out,
 * the roles are spelled out, so that assistive technology goes on reading a table.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, keyOf, testId, of, text = false, narrow = 'cards' } = props;
  const [head, ...others] = columns;
  const isNumeric = (column: Column<Row>) => column.numeric ?? !(text || column === head);
  return (
    <ScrollRegion label={caption} narrow={narrow}>
      <table {...role('table')} className={classes.dataTable} data-narrow={narrow} data-testid={testId}>
        <caption className="hidden">{caption}</caption>
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            {columns.map((column) => (
              <th key={column.label} scope="col" {...role('columnheader')} data-numeric={isNumeric(column)}>
                {column.head === undefined ? (
                  column.label
                ) : (
                  <>
                    <span className="hidden">{column.label}</span>
                    {column.head}
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...role('row')}>
              <th scope="row" {...role('rowheader')}>
                {head?.cell(row)}
              </th>
              {others.map((column) => (
                <td
                  key={column.label}
                  {...role('cell')}
                  data-label={column.label}
                  data-numeric={isNumeric(column)}
                  data-q={keyOfPart(of?.(row), column.part)}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function role(name: string): { role: string } {
  return { role: name };
}

type RegionProps = {
  label: string;
  children: ReactNode;
  /** A table may become cards on a narrow screen, which need no scrolling to the side. */
  narrow?: 'cards' | 'scroll';
};

/** Scrolls wide content, which fades at the edge while there is more. It takes the keyboard focus while it overflows, because nothing inside it may be focusable. */
export function ScrollRegion({ label, children, narrow = 'scroll' }: RegionProps) {
  const region = useRef<HTMLElement>(null);
  const { overflows, more } = useOverflow(region);
  return (
    <section
      ref={region}
      className={classes.region}
      aria-label={label}
      tabIndex={overflows ? 0 : undefined}
      data-narrow={narrow}
      data-more={more || undefined}
    >
      {children}
    </section>
  );
}

/** Whether content is cut off, and whether there is more of it at the end of the line. */
function useOverflow(region: RefObject<HTMLElement | null>) {
  const [overflow, setOverflow] = useState({ overflows: false, more: false });
  useEffect(() => {
    const box = region.current;
    if (box === null) return;
    const look = () => {
      const overflows = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      const more = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
      setOverflow((known) =>
        known.overflows === overflows && known.more === more ? known : { overflows, more },
      );
    };
    const observer = new ResizeObserver(look);
    for (const element of [box, ...box.children]) observer.observe(element);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [region]);
  return overflow;
}

type TableProps<Row> = ComponentProps<typeof DataTable<Row>> & {
  /** Number of rows shown before the reader asks for more. */
  first: number;
  /** Noun for a row, such as `cell`. */
  what: string;
};

export function LongTable<Row>({ first, what, rows, narrow, ...table }: TableProps<Row>) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, first);
  return (
    <>
      <DataTable {...table} rows={shown} narrow={narrow ?? (shown.length > 8 ? 'scroll' : 'cards')} />
      {shown.length === rows.length ? null : (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setAll(true)}>
            Show all {printCount(rows.length, what)}
          </Button>
        </div>
      )}
    </>
  );
}

type SectionProps<Row> = Omit<ComponentProps<typeof LongTable<Row>>, 'first' | 'what'> & {
  id: string;
  title: string;
  lead?: ReactNode;
  /** Left out, all rows are shown. */
  first?: number;
  what?: string;
};

/** A section that is one table. */
export function TableSection<Row>(props: SectionProps<Row>) {
  const { id, title, lead, first = Number.POSITIVE_INFINITY, what = 'row', ...table } = props;
  return (
    <Section id={id} title={title} lead={lead} card="flush">
      <LongTable {...table} first={first} what={what} />
    </Section>
  );
}

type PropsFigure = {
  /** The finding, in words. */
  caption: ReactNode;
  /** Meaning of bars, whiskers, lines, and bands. */
  marks?: string | undefined;
  legend?: ReactNode;
  /** The drawing; may load late, its room is kept. */
  children: ReactNode;
  table: ReactNode;
  /** Key of the figures that the caption names. */
  of?: string | undefined;
  /** In pixels; null for a drawing that has a height of its own. */
  height?: number | null | undefined;
};

export function Figure({ caption, marks, legend, children, table, of, height = 320 }: PropsFigure) {
  return (
    <figure className="stack snug" data-q-of={of}>
      <figcaption className={figureClasses.caption}>
        {caption}
        {marks === undefined ? null : <span className={figureClasses.marks}> {marks}</span>}
      </figcaption>
      {legend}
      <div className={figureClasses.figureDrawing} style={height === null ? undefined : { height }}>
        <DrawingBoundary>
          <Suspense fallback={null}>{children}</Suspense>
        </DrawingBoundary>
      </div>
      <details className={figureClasses.details}>
        <summary>Show data</summary>
        <div className={figureClasses.table}>{table}</div>
      </details>
    </figure>
  );
}

/** A drawing that cannot be loaded costs the drawing, not the page: its caption and its data stay. */
class DrawingBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <p role="status">The chart could not be loaded. Reload the page, or read its data below.</p>;
  }
}

/** Before the first drawing, where its page has time for it. */
export const loadXyChart = () => import('../charts/xy-chart.tsx');
const XyChart = lazy(loadXyChart);

type FigureProps = XyChartProps &
  Omit<ComponentProps<typeof Figure>, 'children'> & {
    /** Meaning of the shaded range, for the legend. */
    bandName?: string | undefined;
  };

/** Lines and markers as a figure. Its legend names the series, unless another one is given. */
export function XyFigure({ caption, marks, legend, table, of, height, bandName, ...chart }: FigureProps) {
  return (
    <Figure
      caption={caption}
      marks={marks}
      legend={legend === undefined ? <Legend items={chart.series} band={bandName} /> : legend}
      table={table}
      of={of}
      height={height}
    >
      <XyChart {...chart} />
    </Figure>
  );
}

type LegendProps = {
  /** From left to right, as they stand in a bar. */
  parts: readonly { label: string; fill: 'hatched' | 'solid' | 'half' | 'pale' }[];
  /** The colors that each part is drawn in. */
  colors: readonly string[];
};

/** Meaning of the shades of stacked bars. */
export function PartLegend({ parts, colors }: LegendProps) {
  return (
    <ul className={figureClasses.legend}>
      {parts.map(({ label, fill }) => (
        <li key={label}>
          <span className={figureClasses.swatches}>
            {colors.map((color) => (
              <span key={color} className={figureClasses.swatch} data-fill={fill} style={{ color }} />
            ))}
          </span>{' '}
          {label}
        </li>
      ))}
    </ul>
  );
}

type Item = { label: string; color: string; dashed: boolean; marker: 'circle' | 'diamond' };

/** Lines and markers as drawn; `band` names the shaded range, if there is one. */
export function Legend({ items, band }: { items: readonly Item[]; band?: string | undefined }) {
  return (
    <ul className={figureClasses.legend}>
      {items.map((item) => (
        <li key={item.label}>
          <SideMark {...item} /> {item.label}
        </li>
      ))}
      {band === undefined ? null : (
        <li>
          <span className={figureClasses.band} /> {band}
        </li>
      )}
    </ul>
  );
}
