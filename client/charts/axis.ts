import type { Scale, ScaleOptionsByType } from 'chart.js';
import type { Ink } from './ink.ts';

export type Axis = {
  title: string;
  log?: boolean;
  print: (value: number) => string;
  /** Where to put ticks; Chart.js chooses when absent. */
  ticks?: readonly number[];
  min?: number;
  max?: number;
  /** What the axis must hold beside its data; a linear one may reach further, to a round number. */
  reach?: number;
  fromZero?: boolean;
  /** Width in pixels that labels and title take, so that drawings below each other line up. */
  room?: number;
};

export function scaleOptions(axis: Axis, ink: Ink) {
  const { ticks, room } = axis;
  return {
    type: axis.log === true ? ('logarithmic' as const) : ('linear' as const),
    beginAtZero: axis.fromZero === true,
    ...(axis.min === undefined ? {} : { min: axis.min }),
    ...(axis.max === undefined ? {} : { max: axis.max }),
    ...(axis.reach === undefined ? {} : { [axis.log === true ? 'max' : 'suggestedMax']: axis.reach }),
    title: { display: true, text: axis.title, color: ink.soft, font: { size: 12 } },
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
