import { useElementSize, useMergedRef } from '@mantine/hooks';
import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import classes from './flame-chart.module.css';

export type FlameFrame = {
  name: string;
  value: number;
  /** More than on the other side; less is negative. */
  delta: number;
  children: FlameFrame[];
};

export type FlameChartProps = {
  label: string;
  root: FlameFrame;
  describe: (frame: FlameFrame) => string;
};

/** The library's node. */
type Drawn = { data: FlameFrame; depth: number; parent: Drawn | null; children?: Drawn[] };
type FrameElement = Element & { __data__?: Drawn };

const cellPx = 20;
/** A frame that is narrower is not drawn. */
const narrowestPx = 2;

/** Frames below their callers, as wide as their value. Arrow keys go from frame to frame, Enter zooms. */
export default function FlameChart({ label, root, describe }: FlameChartProps) {
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const merged = useMergedRef(sizeRef, place);
  const zoom = useRef<(node: Drawn) => void>(() => {});

  useEffect(() => {
    const element = place.current;
    if (element === null || width === 0) return;
    const most = Math.max(...framesOf(root).map(({ delta }) => Math.abs(delta)), Number.MIN_VALUE);
    const chart = flamegraph()
      .width(width)
      .cellHeight(cellPx)
      .minFrameSize(narrowestPx)
      .transitionDuration(0)
      .inverted(true)
      .sort(true)
      .setColorMapper((node) => colorOf((node as Drawn).data.delta / most))
      .setLabelHandler((node) => describe((node as Drawn).data))
      .onClick(() => settle(element, describe));
    select(element).datum(structuredClone(root));
    chart(select(element));
    zoom.current = (node) => chart.zoomTo(node as never);
    settle(element, describe);
    return () => {
      element.replaceChildren();
    };
  }, [root, describe, width]);

  const onKeyDown = (event: KeyboardEvent) => {
    const frame = (event.target as FrameElement).__data__;
    if (frame === undefined || place.current === null) return;
    if (event.key === 'Enter' || event.key === ' ') {
      zoom.current(frame);
      settle(place.current, describe);
    }
    const next = neighborOf(frame, event.key);
    if (next !== null) focusOn(place.current, next);
    if (next !== null || event.key === 'Enter' || event.key === ' ') event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its frames are the buttons, which the library draws
    <div className={classes.flame} onKeyDown={onKeyDown}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields */}
      <div ref={merged} role="group" aria-label={label} />
    </div>
  );
}

function framesOf(frame: FlameFrame): FlameFrame[] {
  return [frame, ...frame.children.flatMap(framesOf)];
}

/** More is warm, less is cold, the same is gray. The label is dark on all of them. */
function colorOf(share: number): string {
  const strength = Math.round(100 * Math.min(1, Math.abs(share)) ** 0.5);
  return `color-mix(in oklab, ${share < 0 ? '#8fc1e8' : '#f2a66b'} ${strength}%, #e4e0d8)`;
}

/** Without the library's animation, and as high as what is drawn. One frame is in the order of tabs; arrow keys lead on. */
function settle(place: Element, describe: FlameChartProps['describe']): void {
  let deepest = 0;
  for (const [index, frame] of place.querySelectorAll<FrameElement>('g.frame').entries()) {
    const [drawn, rect] = [frame.__data__, frame.querySelector('rect')];
    deepest = Math.max(deepest, drawn?.depth ?? 0);
    if (rect !== null) {
      select(rect).interrupt();
      rect.setAttribute('width', frame.getAttribute('width') ?? '0');
    }
    frame.setAttribute('tabindex', index === 0 ? '0' : '-1');
    frame.setAttribute('role', 'button');
    if (drawn !== undefined) frame.setAttribute('aria-label', describe(drawn.data));
  }
  place.querySelector('svg')?.setAttribute('height', `${(deepest + 1) * cellPx}`);
}

function neighborOf(frame: Drawn, key: string): Drawn | null {
  const siblings = frame.parent?.children ?? [frame];
  const at = siblings.indexOf(frame);
  switch (key) {
    case 'ArrowUp':
      return frame.parent;
    case 'ArrowDown':
      return frame.children?.[0] ?? null;
    case 'ArrowLeft':
      return siblings[at - 1] ?? null;
    case 'ArrowRight':
      return siblings[at + 1] ?? null;
    default:
      return null;
  }
}

/** Nothing where it is too narrow to be drawn. */
function focusOn(place: Element, wanted: Drawn): void {
  const frames = [...place.querySelectorAll<FrameElement & SVGGElement>('g.frame')];
  const found = frames.find(({ __data__ }) => __data__ === wanted);
  if (found === undefined) return;
  for (const frame of frames) frame.setAttribute('tabindex', frame === found ? '0' : '-1');
  found.focus();
}
