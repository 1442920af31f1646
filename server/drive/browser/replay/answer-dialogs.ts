import type { BrowserContext, Dialog } from 'playwright-core';

type Answer = { accept: boolean; text: string | null };

export type DialogAnswers = {
  /** Of the next dialog, or of every one from now on. */
  add(answer: Answer, every: boolean): void;
  /** Dialogs are nobody's from now on. */
  stop(): void;
};

/** Answers the dialogs of all pages, and dismisses those that no answer was given for: none of them stops a page. */
export function answerDialogs(context: BrowserContext): DialogAnswers {
  const next: Answer[] = [];
  let usual: Answer = { accept: false, text: null };

  function answer(dialog: Dialog): void {
    const { accept, text } = next.shift() ?? usual;
    const answered = accept ? dialog.accept(text ?? undefined) : dialog.dismiss();
    // A page that is closed meanwhile has no dialog any more.
    answered.catch(() => {});
  }

  context.on('dialog', answer);
  return {
    add(given, every) {
      if (every) usual = given;
      else next.push(given);
    },
    stop: () => void context.off('dialog', answer),
  };
}
