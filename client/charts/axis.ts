import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Chart, Plugin, Scale, ScaleOptionsByType } from 'chart.js';

export type Axis = {
  title: string;
  log?: boolean;
  print: (value: number) => string;
  /** Positions of the ticks; Chart.js chooses when absent. */
  ticks?: readonly number[];
  min?: number;
  max?: number;
  /** Value that the axis must include in addition to its data. A linear axis may go further, to a round number. */
  reach?: number;
  fromZero?: boolean;
  /** Width in pixels that labels and title take, so that drawings below each other line up. */
  room?: number;
};

/** Axis of the measured values. */
export type ValueAxis = Axis & {
  /** Follows a value in a tooltip; empty if `print` includes it. */
  unit: string;
  /** Value in a tooltip. Default: as at a tick. */
  printPoint?: (value: number) => string;
};

/** A value as tooltips print it: `1.44 ms`, and with its interval `1.44 ms, 1.42 to 1.47`. */
export function printPoint(
  { unit, print, printPoint: printIt = print }: ValueAxis,
  value: number,
  ends: readonly [lo: number, hi: number] | null = null,
): string {
  const text = unit === '' ? printIt(value) : `${printIt(value)} ${unit}`;
  return ends === null || ends[0] === ends[1] ? text : `${text}, ${printIt(ends[0])} to ${printIt(ends[1])}`;
}

export function scaleOptions(axis: Axis, ink: Ink) {
  const { ticks, room } = axis;
  return {
    type: axis.log === true ? ('logarithmic' as const) : ('linear' as const),
    beginAtZero: axis.fromZero === true,
    ...(axis.min === undefined ? {} : { min: axis.min }),
    ...(axis.max === undefined ? {} : { max: axis.max }),
    ...(axis.reach === undefined ? {} : { [axis.log === true ? 'max' : 'suggestedMax']: axis.reach }),
    title: { display: true, text: axis.title, color: ink.soft, font: { size: 13 } },
    grid: { color: ink.line, drawTicks: false },
    border: { display: false },
    ticks: {
      color: ink.soft,
      padding: 6,
      maxRotation: 0,
      autoSkipPadding: 16,
      callback: (value: string | number) => axis.print(Number(value)),
    },
    ...(room === undefined
      ? {}
      : {
          afterFit: (scale: Scale) => {
            scale.width = room;
          },
        }),
    ...(ticks === undefined
      ? {}
      : {
          afterBuildTicks: (scale: Scale) => {
            scale.ticks = ticks
              .filter((value) => value >= scale.min && value <= scale.max)
              .map((value) => ({ value }));
          },
        }),
  } satisfies Partial<ScaleOptionsByType<'linear'>> | object;
}

/** Stands behind the end of a lying bar, with the marker of its side. */
export type EndLabel = { label: string; color: string; marker: 'circle' | 'diamond' };

/** Room in pixels that the labels take on the right. */
export const endRoomPx = 76;
const markerPx = 4;

type Ending = { endLabel?: EndLabel & { ends?: readonly string[] | undefined } };

/** Labels the last dataset of each stack with its `endLabel`. */
export const endLabels: Plugin<'bar'> = {
  id: 'endLabels',
  afterDatasetsDraw(chart: Chart) {
    const { ctx } = chart;
    ctx.save();
    ctx.font = '12px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    for (const [index, { endLabel }] of (chart.data.datasets as Ending[]).entries()) {
      if (endLabel === undefined) continue;
      for (const [place, { x, y }] of chart.getDatasetMeta(index).data.entries()) {
        if (Number.isNaN(x)) continue;
        const own = endLabel.ends?.[place];
        if (own !== undefined) {
          ctx.fillStyle = String(chart.options.color);
          ctx.fillText(own, x + 8, y);
          continue;
        }
        ctx.fillStyle = endLabel.color;
        drawMarker(ctx, endLabel.marker, x + 12, y);
        ctx.fillStyle = String(chart.options.color);
        ctx.fillText(endLabel.label, x + 22, y);
      }
    }
    ctx.restore();
  },
};

function drawMarker(ctx: CanvasRenderingContext2D, marker: EndLabel['marker'], x: number, y: number): void {
  ctx.beginPath();
  if (marker === 'circle') ctx.arc(x, y, markerPx, 0, 2 * Math.PI);
  else {
    const reach = markerPx + 1;
    ctx.moveTo(x, y - reach);
    ctx.lineTo(x + reach, y);
    ctx.lineTo(x, y + reach);
    ctx.lineTo(x - reach, y);
  }
  ctx.fill();
}

/** A narrow drawing has no room for a long label on one line; three lines fit beside two bars. */
const isNarrow = ({ width }: Pick<Chart, 'width'>) => width < 480;
const longestLines: LongestLines = { ofParts: 26, ofWords: 20 };

/** Axis of horizontal bars with the name of each bar. */
export function categoryAxis(
  ink: Ink,
  { narrowPx, display = true }: { narrowPx: number; display?: boolean },
) {
  return {
    type: 'category' as const,
    grid: { display: false },
    border: { color: ink.soft },
    ticks: {
      ...{ color: ink.text, display, autoSkip: false },
      callback(this: Scale, value: string | number) {
        const label = this.getLabelForValue(Number(value));
        return isNarrow(this.chart) ? foldLabel(label, longestLines) : label;
      },
      font: ({ chart }: { chart: Chart }) => (isNarrow(chart) ? { size: narrowPx, lineHeight: 1.2 } : {}),
    },
  };
}

const separator = ' · ';

/** A label in lines, broken between its parts, or where it has one part between its words, each as long as may be. */
export function foldLabel(label: string, { ofParts, ofWords }: LongestLines): string[] {
  const [between, longest] = label.includes(separator) ? [separator, ofParts] : [' ', ofWords];
  const lines: string[] = [];
  for (const part of label.split(between)) {
    const joined = `${lines.at(-1)}${between}${part}`;
    if (lines.length > 0 && joined.length <= longest) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

/** Characters of a line. */
type LongestLines = { ofParts: number; ofWords: number };

const size = 10;

/** Slanted stripes of `color` on `ground`, for a bar that must differ by more than its color. */
export function hatch(color: string, ground: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const context = tile.getContext('2d');
  if (context === null) return color;
  context.fillStyle = ground;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = color;
  context.lineWidth = 4.5;
  context.beginPath();
  for (const shift of [-size, 0, size]) {
    context.moveTo(shift - 2, size + 2);
    context.lineTo(shift + size + 2, -2);
  }
  context.stroke();
  return context.createPattern(tile, 'repeat') ?? color;
}

/** The colors of what is not data. A canvas cannot read the page's tokens, so they stand here again. */
export type Ink = { text: string; soft: string; line: string; band: string; surface: string };

const inks: Record<'light' | 'dark', Ink> = {
  light: { text: '#1b1f24', soft: '#565c64', line: '#e3e0da', band: '#dcd8d0', surface: '#ffffff' },
  dark: { text: '#eceae6', soft: '#a9aeb6', line: '#2e333a', band: '#3a4048', surface: '#1a1d22' },
};

/** Paper is light, whatever the screen is. */
export function useInk(): Ink {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const printing = useMediaQuery('print', false, { getInitialValueInEffect: false });
  return inks[printing ? 'light' : scheme];
}

/** A wide and a thin bar at one x, such as where three quarters of the values lie and where nearly all do. */
export type Spread = { x: number; wide: readonly [number, number]; thin: readonly [number, number] };

const widePx = 6;
const thinPx = 1.5;
/** Bars of different series at the same x stand side by side. */
const apartPx = 8;

type Spreading = { spreads?: readonly Spread[]; borderColor?: unknown };

/** Draws the `spreads` of datasets that have some, behind every line and point. */
export const spreadBars: Plugin<'line'> = {
  id: 'spreadBars',
  beforeDatasetsDraw(chart: Chart) {
    const { x, y } = chart.scales;
    if (x === undefined || y === undefined) return;
    const spreading = (chart.data.datasets as Spreading[]).filter(({ spreads }) => spreads !== undefined);
    const { ctx, chartArea } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
    ctx.clip();
    for (const [index, { spreads = [], borderColor }] of spreading.entries()) {
      const shift = (index - (spreading.length - 1) / 2) * apartPx;
      ctx.fillStyle = String(borderColor);
      for (const spread of spreads) {
        const at = x.getPixelForValue(spread.x) + shift;
        const bar = ([lo, hi]: readonly [number, number], px: number) => {
          const [bottom, top] = [y.getPixelForValue(lo), y.getPixelForValue(hi)];
          ctx.fillRect(at - px / 2, top, px, Math.max(1, bottom - top));
        };
        ctx.globalAlpha = 0.7;
        bar(spread.thin, thinPx);
        ctx.globalAlpha = 0.35;
        bar(spread.wide, widePx);
      }
    }
    ctx.restore();
  },
};
