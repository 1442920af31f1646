import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Press } from './fold-keys.ts';
import { frameParts, readCounted, readSelectors } from './read-selectors.ts';
import type { LocatedStep, RecordedStep } from './recording-schema.ts';

/** The members of an action besides line and page, checked when they are together; or why there is none. */
type Parts = { type: BrowserAction['type']; [member: string]: unknown } | { reason: string };

/** @returns what the step does; a reason is the rest of a sentence that begins with the step */
export function readStep(step: RecordedStep | Press): Parts {
  switch (step.type) {
    case 'navigate':
      return { type: 'goto', url: step.url };
    case 'close':
      return { type: 'close_page' };
    case 'setViewport':
      return { type: 'viewport', width: Math.round(step.width), height: Math.round(step.height) };
    case 'click':
    case 'doubleClick':
      return readClick(step);
    case 'change':
      return located(step, { type: 'change', value: step.value });
    case 'hover':
      return located(step, { type: 'hover' });
    case 'keyDown':
    case 'keyUp':
      return key(step.type === 'keyDown' ? 'key_down' : 'key_up', step.key);
    case 'press':
      return key('press', step.key);
    case 'scroll':
      return readScroll(step);
    case 'waitForElement':
      return readWait(step);
    case 'emulateNetworkConditions':
      return { reason: 'changes the network, which a measurement must not' };
    case 'waitForExpression':
      return { reason: 'runs code in the page, which is not supported' };
    case 'customStep':
      return { reason: `is the custom step “${step.name.slice(0, 40)}”, which is not supported` };
  }
}

const buttons = { primary: 'left', auxiliary: 'middle', secondary: 'right' } as const;

function readClick(step: Extract<RecordedStep, { type: 'click' | 'doubleClick' }>): Parts {
  const { button = 'primary', offsetX, offsetY, duration } = step;
  if (button === 'back' || button === 'forward')
    return { reason: `clicks with the ${button} button of the mouse, which is not supported` };
  return located(step, {
    type: 'click',
    button: buttons[button],
    clicks: step.type === 'click' ? 1 : 2,
    ...(offsetX === undefined || offsetY === undefined ? {} : { position: { x: offsetX, y: offsetY } }),
    ...(duration === undefined ? {} : { holdMs: Math.round(duration) }),
    opens: null,
  });
}

function readScroll({
  selectors,
  frame = [],
  x = 0,
  y = 0,
}: Extract<RecordedStep, { type: 'scroll' }>): Parts {
  if (selectors !== undefined) return located({ selectors, frame }, { type: 'scroll', x, y });
  const page = frame.length === 0 ? null : [...frameParts(frame), { by: 'selector', selector: ':root' }];
  return { type: 'scroll', locator: page, x, y };
}

function readWait(step: Extract<RecordedStep, { type: 'waitForElement' }>): Parts {
  if (step.properties !== undefined && step.properties !== null)
    return { reason: 'checks properties of an element, which is not supported. Use attributes instead' };
  const { count = 1, operator = '>=', attributes = {}, visible = true } = step;
  const found = readCounted(step);
  if (found === null) return { reason: 'has no supported selector' };
  const negated = visible ? {} : { negated: true };
  return { type: 'expect_elements', count, operator, attributes, ...negated, ...found };
}

function located(step: Pick<LocatedStep, 'selectors' | 'frame'>, action: Parts & { type: string }): Parts {
  const found = readSelectors(step);
  return found === null ? { reason: 'has no supported selector' } : { ...action, ...found };
}

/** Keys of DevTools that Chromium's keyboard has not on a desktop. */
const unknownKeys = new Set(
  `Power Eject Abort Help Convert NonConvert Select Open F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 MediaStop NumpadEqual
  Props Cancel Accept ModeChange Print Execute \u0000 Attn CrSel ExSel EraseEof Play ZoomOut SoftLeft SoftRight Camera Call
  EndCall VolumeDown VolumeUp`.split(/[ \n]+/),
);

/** A key that goes down or up, or a chord that is pressed. */
function key(type: 'key_down' | 'key_up' | 'press', name: string): Parts {
  const last = name === '+' || name.endsWith('++') ? '+' : (name.split('+').at(-1) ?? '');
  if (name === '' || unknownKeys.has(last))
    return { reason: `presses the key “${last}”, which is not supported` };
  return type === 'press' ? { type, locator: null, key: name } : { type, key: name };
}
