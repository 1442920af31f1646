import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { RecorderInput, Viewport } from '../../../shared/scenario/recorder.ts';
import { buttonOf, type Clicks, countClicks, heldKeys, pointOf, turnOf } from './page-input.ts';

export type Pointing = {
  canvas: RefObject<HTMLCanvasElement | null>;
  viewport: Viewport;
  send: (input: RecorderInput) => void;
};

/** Where something was pressed last, and in which press. */
type Pulse = { key: number; left: string; top: string };

const tapPx = 8;

/** What a mouse or a finger does on the picture: a finger that moves turns the wheel, one that does not clicks. */
export function usePointer({ canvas, viewport, send }: Pointing) {
  const clicks = useRef<Clicks | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const [pulse, setPulse] = useState<Pulse | null>(null);
  const at = (event: { clientX: number; clientY: number }) =>
    pointOf(event, canvas.current?.getBoundingClientRect() ?? new DOMRect(), viewport);
  useWheel({ canvas, viewport, send });

  function press(event: PointerEvent, type: 'press' | 'release') {
    const button = buttonOf(event.button);
    if (button === null) return;
    const point = at(event);
    if (type === 'press') {
      clicks.current = countClicks(clicks.current, event.timeStamp, point);
      const left = `${(point.x / viewport.width) * 100}%`;
      setPulse({ key: event.timeStamp, left, top: `${(point.y / viewport.height) * 100}%` });
    }
    send({ type, ...point, ...heldKeys(event), button, clicks: clicks.current?.count ?? 1 });
  }

  return {
    pulse,
    at,
    down(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId);
      if (event.pointerType === 'touch') drag.current = { x: event.clientX, y: event.clientY, moved: false };
      else press(event, 'press');
    },
    move(event: PointerEvent) {
      const finger = drag.current;
      if (finger === null) {
        return send({ type: 'move', ...at(event), ...heldKeys(event), pressed: event.buttons === 1 });
      }
      const [deltaX, deltaY] = [finger.x - event.clientX, finger.y - event.clientY];
      if (!finger.moved && Math.hypot(deltaX, deltaY) < tapPx) return;
      send({ type: 'wheel', ...at(event), ...heldKeys(event), deltaX, deltaY });
      drag.current = { x: event.clientX, y: event.clientY, moved: true };
    },
    up(event: PointerEvent) {
      const finger = drag.current;
      drag.current = null;
      if (finger?.moved === true) return;
      if (finger !== null) press(event, 'press');
      press(event, 'release');
    },
    cancel() {
      drag.current = null;
    },
  };
}

/** React listens to the wheel passively, so it could not keep the page around the picture from scrolling. */
function useWheel({ canvas, viewport, send }: Pointing) {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const point = pointOf(event, element.getBoundingClientRect(), viewport);
      send({ type: 'wheel', ...point, ...heldKeys(event), ...turnOf(event) });
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [canvas, viewport, send]);
}
