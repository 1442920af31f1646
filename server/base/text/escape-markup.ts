/**
 * Text for HTML or XML, in an element or a quoted attribute. Of what XML forbids, control characters are left out, and lone
 * surrogates, U+FFFE, and U+FFFF are replaced. Source: XML 1.0, 2.2.
 */
export function escapeMarkup(text: string): string {
  const plain = [...text.toWellFormed()].filter((character) => character >= ' ').join('');
  return plain
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
