import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { RecorderInput, Viewport } from '../../../shared/scenario/recorder.ts';
import classes from './record.module.css';

type Props = Pointing & {
  /** A press takes the text below it as a check. */
  picking: boolean;
  onPicked: () => void;
};

/** The recorded page, as far as a person can tell. */
export function Picture({ picking, onPicked, ...pointing }: Props) {
  const { canvas, viewport, send } = pointing;
  const keyboard = useRef<HTMLTextAreaElement>(null);
  const { pulse, at, down, move, up, cancel } = usePointer(pointing);

  function press(event: PointerEvent) {
    keyboard.current?.focus({ preventScroll: true });
    if (!picking) return down(event);
    send({ type: 'add_check', ...at(event) });
    onPicked();
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
        onPointerDown={press}
        // Else the press itself would take the focus out of the text field.
        onMouseDown={(event) => event.preventDefault()}
        onPointerMove={move}
        onPointerUp={picking ? undefined : up}
        onPointerCancel={cancel}
        onContextMenu={(event) => event.preventDefault()}
      />
      {pulse === null ? null : (
        <span key={pulse.key} className={classes.pulse} style={{ left: pulse.left, top: pulse.top }} />
      )}
      <Keyboard field={keyboard} send={send} />
    </div>
  );
}

type KeyboardProps = { field: RefObject<HTMLTextAreaElement | null>; send: (input: RecorderInput) => void };

/**
 * A text field that cannot be seen takes the keys of the recorded page: that is what composes letters, takes what is pasted
 * and brings up the keyboard of a phone.
 */
function Keyboard({ field, send }: KeyboardProps) {
  return (
    <textarea
      ref={field}
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
  );
}

type Pointing = {
  canvas: RefObject<HTMLCanvasElement | null>;
  viewport: Viewport;
  send: (input: RecorderInput) => void;
};

/** Place of the last press, and its number. */
type Pulse = { key: number; left: string; top: string };

const tapPx = 8;

/** Mouse and touch input on the picture: a finger that moves turns the wheel, one that does not clicks. */
function usePointer({ canvas, viewport, send }: Pointing) {
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

/** Events on the picture as events in the page that it shows. Pure. */

type Box = { left: number; top: number; width: number; height: number };
type Held = { altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };
type At = { clientX: number; clientY: number };
export type Key = Held & { key: string; code: string; keyCode: number; repeat: boolean };

/** The point of the page that is shown at this point of the screen; one beside the picture becomes its edge. */
export function pointOf(
  { clientX, clientY }: At,
  box: Box,
  { width, height }: Viewport,
): { x: number; y: number } {
  const along = (at: number, start: number, length: number, size: number) =>
    Math.round(Math.min(1, Math.max(0, (at - start) / Math.max(1, length))) * (size - 1));
  return { x: along(clientX, box.left, box.width, width), y: along(clientY, box.top, box.height, height) };
}

function heldKeys({ altKey, ctrlKey, metaKey, shiftKey }: Held) {
  return { alt: altKey, control: ctrlKey, meta: metaKey, shift: shiftKey };
}

const mostPx = 10_000;
/** Browsers count a wheel in pixels, lines or pages. */
const pixelsOf = [1, 16, 600];

function turnOf(event: { deltaX: number; deltaY: number; deltaMode: number }) {
  const factor = pixelsOf[event.deltaMode] ?? 1;
  const along = (delta: number) => Math.min(mostPx, Math.max(-mostPx, delta * factor));
  return { deltaX: along(event.deltaX), deltaY: along(event.deltaY) };
}

const buttons = ['left', 'middle', 'right'] as const;

function buttonOf(button: number): (typeof buttons)[number] | null {
  return buttons[button] ?? null;
}

/** Chords of the reader's own browser: reload, address, tabs, windows, find, print, zoom, its tools. */
const ownChords = /^[rltwnfpjh0+=-]$/i;
const ownKeys = new Set(['F1', 'F3', 'F5', 'F6', 'F11', 'F12', 'Unidentified', 'Process', 'Dead']);

/** Null for a key that the recorded page does not get. Text that is composed or pasted comes as text. */
export function keyInput(type: 'key_down' | 'key_up', event: Key): RecorderInput | null {
  const { key, code, keyCode, repeat } = event;
  const command = event.ctrlKey !== event.altKey || event.metaKey;
  if (key === '' || ownKeys.has(key)) return null;
  if ((event.ctrlKey || event.metaKey) && command && (ownChords.test(key) || /^v$/i.test(key))) return null;
  return { type, key, code, keyCode, repeat, ...heldKeys(event) };
}

/** How many clicks in a row this one is, up to three. */
type Clicks = { count: number; at: number; x: number; y: number };
const againMs = 500;
const nearPx = 5;

export function countClicks(last: Clicks | null, now: number, { x, y }: { x: number; y: number }): Clicks {
  const again =
    last !== null &&
    now - last.at <= againMs &&
    Math.abs(x - last.x) <= nearPx &&
    Math.abs(y - last.y) <= nearPx;
  return { count: again ? Math.min(3, last.count + 1) : 1, at: now, x, y };
}
