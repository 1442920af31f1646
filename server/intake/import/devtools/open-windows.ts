import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';

type Windows = {
  /**
   * The number of a window's page. Null when nothing before could have opened it.
   * @param opens whether the step opens an address, for which a new window will do
   */
  pageOf(target: string, opens: boolean, before: readonly BrowserAction[]): number | null;
};

/** Windows by their targets: the first is `main`, another is opened by the last click before its first step. */
export function openWindows(): Windows {
  const pages = new Map([['main', 0]]);
  return {
    pageOf(target, opens, before) {
      const known = pages.get(target);
      if (known !== undefined) return known;
      const page = pages.size;
      const click = before.findLast((action) => action.type === 'click');
      if (!opens) {
        if (click?.type !== 'click' || click.opens !== null) return null;
        click.opens = page;
      }
      pages.set(target, page);
      return page;
    },
  };
}
