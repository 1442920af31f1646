import type { BrowserAction } from '../../../shared/scenario/browser-actions.ts';
import type {
  Ending,
  RecorderMessage,
  RecorderTab,
  RefusedHost,
  Viewport,
} from '../../../shared/scenario/recorder.ts';

/** What the page knows of the recording. */
export type RecorderView = {
  /** `taken`: another page shows the recording now. */
  link: 'opening' | 'open' | 'lost' | 'taken';
  viewport: Viewport;
  /** When it ends by itself, in the time of this page; null before the server has said so. */
  endsAt: number | null;
  tabs: RecorderTab[];
  shown: number;
  steps: BrowserAction[];
  requests: number;
  dialog: Extract<RecorderMessage, { type: 'dialog' }>['dialog'];
  paused: boolean;
  refused: RefusedHost[];
  problem: string | null;
  ended: Ending | null;
};

export const nothingYet: RecorderView = {
  ...{ link: 'opening', viewport: { width: 1280, height: 720 }, endsAt: null },
  ...{ tabs: [], shown: 0, steps: [], requests: 0, dialog: null },
  ...{ paused: false, refused: [], problem: null, ended: null },
};

type RecorderEvent =
  | { type: 'message'; message: RecorderMessage; now: number }
  | { type: 'link'; link: RecorderView['link'] };

export function follow(view: RecorderView, event: RecorderEvent): RecorderView {
  if (event.type === 'link') return { ...view, link: event.link };
  const { message } = event;
  switch (message.type) {
    case 'hello':
      return { ...view, viewport: message.viewport, endsAt: event.now + message.remainingMs };
    case 'tabs':
      return { ...view, tabs: message.tabs, shown: message.shown };
    case 'steps':
      return { ...view, steps: [...view.steps.slice(0, message.from), ...message.steps], problem: null };
    case 'requests':
      return { ...view, requests: message.count };
    case 'dialog':
      return { ...view, dialog: message.dialog };
    case 'paused':
      return { ...view, paused: message.paused };
    case 'refused':
      return { ...view, refused: message.hosts };
    case 'problem':
      return { ...view, problem: message.sentence };
    case 'ended':
      return { ...view, ended: message.ending, dialog: null };
  }
}
