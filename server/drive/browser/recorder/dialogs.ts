import type { BrowserContext, Dialog } from 'playwright-core';
import type { RecorderMessage } from '../../../../shared/scenario/recorder.ts';

export type Dialogs = {
  /** A page is held up by one. */
  open(): boolean;
  answer(accept: boolean, text: string): void;
  told(): Extract<RecorderMessage, { type: 'dialog' }>;
  /** Lets every page go on. */
  dismiss(): void;
};

const mostDialogs = 50;

/** Alerts and questions of the site, put to the person who records. One at a time: a page waits for its own. */
export function openDialogs(
  context: BrowserContext,
  told: { changed(message: ReturnType<Dialogs['told']>): void; tooMany(): void },
): Dialogs {
  let current: Dialog | null = null;
  let count = 0;

  context.on('dialog', (dialog) => {
    count += 1;
    if (count > mostDialogs) told.tooMany();
    // A user who leaves a page by the address bar has decided already.
    if (dialog.type() === 'beforeunload') return settle(dialog, true, '');
    if (current !== null || count > mostDialogs) return settle(dialog, false, '');
    current = dialog;
    told.changed(describe());
  });
  context.on('page', (page) =>
    page.on('close', () => {
      if (current?.page() === page) clear();
    }),
  );

  function clear(): void {
    current = null;
    told.changed(describe());
  }

  function describe(): ReturnType<Dialogs['told']> {
    if (current === null) return { type: 'dialog', dialog: null };
    const kind = current.type() as 'alert' | 'confirm' | 'prompt' | 'beforeunload';
    return {
      type: 'dialog',
      dialog: {
        kind,
        message: current.message().slice(0, 2000),
        text: current.defaultValue().slice(0, 2000),
      },
    };
  }

  return {
    open: () => current !== null,
    answer(accept, text) {
      if (current === null) return;
      const dialog = current;
      clear();
      settle(dialog, accept, text);
    },
    told: describe,
    dismiss() {
      if (current !== null) settle(current, false, '');
      current = null;
    },
  };
}

/** The page may be gone, and its dialog with it. */
function settle(dialog: Dialog, accept: boolean, text: string): void {
  void (accept ? dialog.accept(text) : dialog.dismiss()).catch(() => {});
}
