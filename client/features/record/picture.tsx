import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { RecorderInput, Viewport } from '../../../shared/scenario/recorder.ts';
import { buttonOf, type Clicks, countClicks, heldKeys, keyInput, pointOf, turnOf } from './page-input.ts';
import classes from './picture.module.css';

type Props = {
  canvas: RefObject<HTMLCanvasElement | null>;
  viewport: Viewport;
  /** A press takes the text below it as a check. */
  picking: boolean;
  onPicked: () => void;
  send: (input: RecorderInput) => void;
};

type Pulse = { key: number; left: string; top: string };

const tapPx = 8;

/**
 * The recorded page, as far as a person can tell. Keys go to a text field that cannot be seen: that is what composes
 * letters, takes what is pasted and brings up the keyboard of a phone.
 */
export function Picture({ canvas, viewport, picking, onPicked, send }: Props) {
  const keyboard = useRef<HTMLTextAreaElement>(null);
  const clicks = useRef<Clicks | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const [pulse, setPulse] = useState<Pulse | null>(null);
  const at = (event: { clientX: number; clientY: number }) =>
    pointOf(event, canvas.current?.getBoundingClientRect() ?? new DOMRect(), viewport);
  useWheel(canvas, viewport, send);

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

  function down(event: PointerEvent) {
    keyboard.current?.focus({ preventScroll: true });
    if (picking) {
      send({ type: 'add_check', ...at(event) });
      return onPicked();
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    if (event.pointerType === 'touch') drag.current = { x: event.clientX, y: event.clientY, moved: false };
    else press(event, 'press');
  }

  function move(event: PointerEvent) {
    const finger = drag.current;
    if (finger === null) {
      return send({ type: 'move', ...at(event), ...heldKeys(event), pressed: event.buttons === 1 });
    }
    const [deltaX, deltaY] = [finger.x - event.clientX, finger.y - event.clientY];
    if (!finger.moved && Math.hypot(deltaX, deltaY) < tapPx) return;
    send({ type: 'wheel', ...at(event), ...heldKeys(event), deltaX, deltaY });
    drag.current = { x: event.clientX, y: event.clientY, moved: true };
  }

  function up(event: PointerEvent) {
    if (picking) return;
    const finger = drag.current;
    drag.current = null;
    if (finger?.moved === true) return;
    if (finger !== null) press(event, 'press');
    press(event, 'release');
  }

  return (
    <div className={classes.frame} data-picking={picking}>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Recorded page"
        width={viewport.width}
        height={viewport.height}
        className={classes.canvas}
        onPointerDown={down}
        // Else the press itself would take the focus out of the text field.
        onMouseDown={(event) => event.preventDefault()}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => {
          drag.current = null;
        }}
        onContextMenu={(event) => event.preventDefault()}
      />
      {pulse === null ? null : (
        <span key={pulse.key} className={classes.pulse} style={{ left: pulse.left, top: pulse.top }} />
      )}
      <textarea
        ref={keyboard}
        className={classes.keyboard}
        aria-label="Keyboard of the recorded page. Press Shift+Escape to leave."
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && event.shiftKey) return event.currentTarget.blur();
          if (event.nativeEvent.isComposing) return;
          const input = keyInput('key_down', event);
          if (input === null) return;
          event.preventDefault();
          send(input);
        }}
        onKeyUp={(event) => {
          const input = event.nativeEvent.isComposing ? null : keyInput('key_up', event);
          if (input !== null) send(input);
        }}
        onInput={(event) => {
          const field = event.currentTarget;
          if ((event.nativeEvent as InputEvent).isComposing) return;
          if (field.value !== '') send({ type: 'text', text: field.value.slice(0, 10_000) });
          field.value = '';
        }}
        onCompositionEnd={(event) => {
          const field = event.currentTarget;
          if (field.value !== '') send({ type: 'text', text: field.value });
          field.value = '';
        }}
      />
    </div>
  );
}

/** React listens to the wheel passively, so it could not keep the page around the picture from scrolling. */
function useWheel(canvas: RefObject<HTMLCanvasElement | null>, viewport: Viewport, send: Props['send']) {
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
