import type { ShownBlock, ShownRun, ShownWindow } from '../../../../shared/kinds/comparison/shown-run.ts';
import { printPercent } from '../../../format/percent.ts';
import { asideInWords, countWindows, type WindowCount } from '../windows.ts';

/** What the machine did while it was measured: shares of all its cores, window by window. */
export type MachineView = {
  /** Null where it cannot be read. A level from the start of each window to its end; a NaN parts the blocks. */
  steal: readonly Point[] | null;
  foreign: readonly Point[] | null;
  /** Of the windows of each block, those that were set aside. */
  aside: readonly Point[];
  /** Windows whose mean is one level, so that a long run can still be read. */
  merged: number;
  blocks: readonly MachineBlock[];
  endS: number;
  words: string;
};

type Point = { x: number; y: number };

type MachineBlock = {
  block: number;
  launch: number;
  seconds: number;
  windows: WindowCount;
  /** Means over the windows. */
  steal: number | null;
  foreign: number | null;
};

const mostLevels = 400;

/** Null when no block has windows. */
export function machineView({ blocks }: Pick<ShownRun, 'blocks'>): MachineView | null {
  const windowed = blocks.filter(({ windows }) => windows.length > 0);
  if (windowed.length === 0) return null;
  const windows = windowed.flatMap((block) => block.windows);
  const merged = Math.ceil(windows.length / mostLevels);
  const [steal, foreign] = [stealOf, foreignOf].map((read) =>
    windows.every((window) => read(window) === null) ? null : linesOf(windowed, read, merged),
  );
  const counted = countWindows(windowed);
  return {
    steal: steal ?? null,
    foreign: foreign ?? null,
    aside: windowed.flatMap(({ windows }) => {
      const { measured, aside } = countWindows([{ windows }]);
      return levelOf(startOf(windows[0]), endOf(windows.at(-1)), aside / measured);
    }),
    merged,
    blocks: windowed.map(({ index, launch, windows }) => ({
      block: index + 1,
      launch: launch + 1,
      seconds: startOf(windows[0]),
      windows: countWindows([{ windows }]),
      steal: meanOf(windows, stealOf),
      foreign: meanOf(windows, foreignOf),
    })),
    endS: Math.ceil(Math.max(...blocks.map(endOfBlock))),
    words: inWords(meanOf(windows, stealOf), meanOf(windows, foreignOf), counted),
  };
}

type Read = (window: ShownWindow) => number | null;
const stealOf: Read = ({ stealRatio }) => stealRatio;
const foreignOf: Read = ({ foreignRatio }) => foreignRatio;

function linesOf(blocks: readonly ShownBlock[], read: Read, merged: number): Point[] {
  return blocks.flatMap(({ windows }) => {
    const groups = Array.from({ length: Math.ceil(windows.length / merged) }, (_, index) =>
      windows.slice(index * merged, (index + 1) * merged),
    );
    const levels = groups.flatMap((group) => {
      const level = meanOf(group, read) ?? Number.NaN;
      return [
        { x: startOf(group[0]), y: level },
        { x: endOf(group.at(-1)), y: level },
      ];
    });
    return [...levels, { x: endOf(windows.at(-1)), y: Number.NaN }];
  });
}

function levelOf(from: number, to: number, level: number): Point[] {
  return [
    { x: from, y: level },
    { x: to, y: level },
    { x: to, y: Number.NaN },
  ];
}

function startOf(window: ShownWindow | undefined): number {
  return (window?.startedAtMs ?? 0) / 1000;
}

function endOf(window: ShownWindow | undefined): number {
  return window === undefined ? 0 : (window.startedAtMs + window.elapsedMs) / 1000;
}

function endOfBlock({ windows, slots }: ShownBlock): number {
  const ends = slots.map(({ startedAtMs, load }) => startedAtMs / 1000 + load.elapsedUs / 1e6);
  // A slot in lockstep is the sum of its turns: only its windows say when it ended.
  return windows.length > 0 ? endOf(windows.at(-1)) : Math.max(0, ...ends);
}

function meanOf(windows: readonly ShownWindow[], read: Read): number | null {
  const values = windows.flatMap((window) => read(window) ?? []);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** "The hypervisor took 2.1 % of the machine and other programs 3.4 %; 6.3 % of windows set aside". */
function inWords(steal: number | null, foreign: number | null, windows: WindowCount): string {
  const took = [
    ...(steal === null ? [] : [`the hypervisor took ${printPercent(steal, 2)}`]),
    ...(foreign === null ? [] : [`other programs took ${printPercent(foreign, 2)}`]),
  ].join(', ');
  const machine = took === '' ? 'Machine load could not be read' : `Of the machine’s CPU, ${took}`;
  return `${machine}; ${asideInWords(windows)}`;
}
