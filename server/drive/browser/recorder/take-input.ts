import type { RecorderInput } from '../../../../shared/scenario/recorder.ts';
import type { Tab } from './tabs.ts';
import { addressOf, isVisit, visit } from './visit.ts';
import type { Watched } from './watch-context.ts';

/** What a viewer does with the page in the picture, and beside it. */
export function takeInput(watched: Watched, tab: Tab, input: RecorderInput): void {
  const { clock, secrets, log, tabs, dialogs, actions, checks, tell } = watched;
  const step = { line: null, page: tab.index };
  if (isVisit(input)) {
    if (input.type === 'open') secrets.opened(addressOf(input.url) ?? '');
    const asked = visit(tab.page, input, (sentence) => tell({ type: 'problem', sentence }));
    if (asked !== null && !clock.paused()) log.add({ ...step, ...asked });
    return;
  }
  switch (input.type) {
    case 'show_tab':
      tabs.show(input.tab);
      break;
    case 'close_tab':
      if (!clock.paused()) log.add({ type: 'close_page', line: null, page: input.tab });
      tabs.close(input.tab);
      break;
    case 'answer':
      dialogs.answer(input.accept, input.text);
      break;
    case 'pause':
      setPaused(watched, input.paused);
      break;
    case 'add_pause':
      clock.skip(input.durationMs);
      log.add({ ...step, type: 'pause', durationMs: input.durationMs });
      break;
    case 'add_check':
      checks.addAt(tab, input.x, input.y);
      break;
    case 'check_text':
      checks.addTyped(tab, input.text);
      break;
    case 'drawn':
      break;
    default:
      if (input.type === 'release') actions.released();
      tab.input.take(input);
  }
}

function setPaused({ clock, actions, tell }: Watched, paused: boolean): void {
  // A browser that is gone by now ends the recording by itself.
  if (paused !== clock.paused()) (paused ? actions.stop() : actions.start()).catch(() => {});
  clock.setPaused(paused);
  tell({ type: 'paused', paused });
}
