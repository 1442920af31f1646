import type { Token, Tokens } from 'marked';

export type DocSection = { id: string; title: string };

export function sectionsOf(tokens: readonly Token[]): DocSection[] {
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map((heading) => ({ id: anchorOf(heading), title: plainTitle(heading) }));
}

/** As GitHub makes it, so that a link with an anchor works where the file is read there. */
export function anchorOf(heading: Tokens.Heading): string {
  return plainTitle(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

export function plainTitle({ text }: Tokens.Heading): string {
  return text.replaceAll('`', '');
}
