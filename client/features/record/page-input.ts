import type { RecorderInput, Viewport } from '../../../shared/scenario/recorder.ts';

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

export function heldKeys({ altKey, ctrlKey, metaKey, shiftKey }: Held) {
  return { alt: altKey, control: ctrlKey, meta: metaKey, shift: shiftKey };
}

const mostPx = 10_000;
/** Browsers count a wheel in pixels, lines or pages. */
const pixelsOf = [1, 16, 600];

export function turnOf(event: { deltaX: number; deltaY: number; deltaMode: number }) {
  const factor = pixelsOf[event.deltaMode] ?? 1;
  const along = (delta: number) => Math.min(mostPx, Math.max(-mostPx, delta * factor));
  return { deltaX: along(event.deltaX), deltaY: along(event.deltaY) };
}

const buttons = ['left', 'middle', 'right'] as const;

export function buttonOf(button: number): (typeof buttons)[number] | null {
  return buttons[button] ?? null;
}

/** Those that belong to the reader's own browser: reload, address, tabs, windows, find, print, zoom, its tools. */
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
export type Clicks = { count: number; at: number; x: number; y: number };
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
