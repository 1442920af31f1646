/** Every member of Playwright's types in this version is known here. Source: types.d.ts and test.d.ts of the package. */
export const knownVersion = '1.65.1';

/** What an import makes of the members of one interface. */
export type KnownApi = {
  /** As a sentence names it. */
  name: string;
  done: readonly string[];
  /** They send nothing; a report lists them. */
  withoutEffect: readonly string[];
  /** Each reason continues a sentence that begins with the member. */
  refused: readonly (readonly [reason: string, members: readonly string[]])[];
};

/** A member as an import takes it; null when this version has none of that name. */
export function standingOf(
  { done, withoutEffect, refused }: KnownApi,
  member: string,
): 'done' | 'without effect' | { reason: string } | null {
  if (done.includes(member)) return 'done';
  if (withoutEffect.includes(member)) return 'without effect';
  const found = refused.find(([, members]) => members.includes(member));
  return found === undefined ? null : { reason: found[0] };
}

export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Why many members are refused. */
export const because = {
  code: 'runs code in the page, which is not supported.',
  ownCode: 'runs code of the test, which is not supported.',
  replaces: 'replaces responses of the server, so nothing would be measured.',
  files: 'uses a file, which is not imported.',
  handles: 'keeps an element that was found once. Use page.locator() instead.',
  network: 'changes the network, which a measurement must not.',
} as const;
