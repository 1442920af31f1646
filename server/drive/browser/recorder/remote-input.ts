import type { CDPSession } from 'playwright-core';
import type { RecorderInput } from '../../../../shared/scenario/recorder.ts';

type PageInput = Extract<
  RecorderInput,
  { type: 'move' | 'press' | 'release' | 'wheel' | 'key_down' | 'key_up' | 'text' }
>;
type Move = Extract<RecorderInput, { type: 'move' }>;
type Wheel = Extract<RecorderInput, { type: 'wheel' }>;

export type RemoteInput = {
  take(input: PageInput): void;
  /** What comes until then waits, in its order. */
  hold(until: Promise<unknown>): void;
};

/** A page that takes no input any more is not sent more and more of it. */
const mostUnderWay = 200;

/**
 * Mouse and keyboard by the DevTools protocol. A page takes one mouse move a frame; while one is under way only the newest is
 * kept, and turns of the wheel are added up, so that a sweep over the picture never delays a click.
 */
export function openRemoteInput(session: CDPSession): RemoteInput {
  const held: PageInput[] = [];
  let holds = 0;
  let underWay = 0;
  let moving = false;
  let nextMove: Move | null = null;
  let nextTurn: Wheel | null = null;

  /** Never waits: a dialog holds the answer back for as long as it is open. */
  const send = async (command: () => Promise<unknown>): Promise<void> => {
    if (underWay >= mostUnderWay) return;
    underWay += 1;
    // The page may be gone by now.
    await command().catch(() => {});
    underWay -= 1;
  };

  const mouse = (type: 'mouseMoved' | 'mouseWheel', input: Move | Wheel): Promise<void> => {
    moving = true;
    const { x, y } = input;
    const turn = input.type === 'wheel' ? { deltaX: input.deltaX, deltaY: input.deltaY } : {};
    const drag = input.type === 'move' && input.pressed ? ({ button: 'left', buttons: 1 } as const) : {};
    return send(() =>
      session.send('Input.dispatchMouseEvent', { type, x, y, modifiers: bitsOf(input), ...turn, ...drag }),
    ).then(goOn);
  };

  function goOn(): void {
    moving = false;
    const [move, turn] = [nextMove, nextTurn];
    nextMove = null;
    nextTurn = null;
    if (move !== null) void mouse('mouseMoved', move);
    if (turn !== null) void mouse('mouseWheel', turn);
  }

  function dispatch(input: PageInput): void {
    switch (input.type) {
      case 'move':
        if (moving) nextMove = input;
        else void mouse('mouseMoved', input);
        return;
      case 'wheel':
        if (moving) nextTurn = addTurns(nextTurn, input);
        else void mouse('mouseWheel', input);
        return;
      case 'press':
      case 'release': {
        nextMove = null;
        const { x, y, button, clicks } = input;
        const type = input.type === 'press' ? 'mousePressed' : 'mouseReleased';
        const buttons = input.type === 'press' ? { left: 1, right: 2, middle: 4 }[button] : 0;
        const event = { type, x, y, button, buttons, clickCount: clicks, modifiers: bitsOf(input) } as const;
        return void send(() => session.send('Input.dispatchMouseEvent', event));
      }
      case 'key_down':
      case 'key_up':
        return void send(() => session.send('Input.dispatchKeyEvent', keyEventOf(input)));
      case 'text':
        return void send(() => session.send('Input.insertText', { text: input.text }));
    }
  }

  return {
    take(input) {
      if (holds === 0) dispatch(input);
      else if (held.length < mostUnderWay) held.push(input);
    },
    hold(until) {
      holds += 1;
      void until.finally(() => {
        holds -= 1;
        if (holds === 0) for (const input of held.splice(0)) dispatch(input);
      });
    },
  };
}

function addTurns(earlier: Wheel | null, wheel: Wheel): Wheel {
  if (earlier === null) return wheel;
  return { ...wheel, deltaX: earlier.deltaX + wheel.deltaX, deltaY: earlier.deltaY + wheel.deltaY };
}

type Modifiers = Pick<Move, 'alt' | 'control' | 'meta' | 'shift'>;

function bitsOf({ alt, control, meta, shift }: Modifiers): number {
  return Number(alt) + 2 * Number(control) + 4 * Number(meta) + 8 * Number(shift);
}

function keyEventOf(input: Extract<PageInput, { type: 'key_down' | 'key_up' }>) {
  const { key, code, keyCode, repeat } = input;
  const text = input.type === 'key_down' ? textOf(input) : '';
  return {
    type: input.type === 'key_up' ? 'keyUp' : text === '' ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers: bitsOf(input),
    autoRepeat: repeat,
    isKeypad: code.startsWith('Numpad'),
    ...(text === '' ? {} : { text, unmodifiedText: text }),
  } as const;
}

/** What a key writes. With Control or Meta alone it is a command; AltGr shows as Control and Alt. */
function textOf({ key, alt, control, meta }: Modifiers & { key: string }): string {
  if (key === 'Enter') return '\r';
  const isCommand = meta || (control ? !alt : alt);
  return key.length === 1 && !isCommand ? key : '';
}
