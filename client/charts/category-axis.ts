import type { Chart, Scale } from 'chart.js';
import { foldLabel, type LongestLines } from './fold-label.ts';
import type { Ink } from './ink.ts';

/** A narrow drawing has no room for a long label on one line; three lines fit beside two bars. */
const isNarrow = ({ width }: Pick<Chart, 'width'>) => width < 480;
const longestLines: LongestLines = { ofParts: 26, ofWords: 20 };

/** Of lying bars, the names of what they belong to. */
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
