/** The keys of the dashboard: pages by two keys, one after the other, and the list of them by `?`. */

export const pageShortcuts = [
  { to: '/', label: 'Measure', key: 'm', with: ['/targets'] },
  {
    to: '/results',
    label: 'Results',
    key: 'r',
    with: ['/examples', '/runs', '/runners', '/sql', '/r/', '/l/', '/b/', '/c/'],
  },
  { to: '/scenarios', label: 'Scenarios', key: 's', with: ['/s/', '/record'] },
  { to: '/lab', label: 'Lab', key: 'l', with: [] },
  { to: '/studies', label: 'Studies', key: 't', with: [] },
  { to: '/docs', label: 'Docs', key: 'd', with: ['/api/docs'] },
] as const;

export type Shortcut = 'list' | (typeof pageShortcuts)[number]['to'];

type Press = { key: string; timeStamp: number };

/** How long `g` waits for the key of a page. */
const waitMs = 1_500;

/** What a key asks for after the one before it; null for nothing yet. */
export function readShortcut({ key, timeStamp }: Press, before: Press | null): Shortcut | null {
  if (key === '?') return 'list';
  if (before?.key !== 'g' || timeStamp - before.timeStamp > waitMs) return null;
  return pageShortcuts.find((page) => page.key === key)?.to ?? null;
}
