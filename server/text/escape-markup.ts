/** Text as it stands in HTML or XML, in an element or a quoted attribute. Control characters, which XML forbids, are left out. */
export function escapeMarkup(text: string): string {
  const plain = [...text].filter((character) => character >= ' ').join('');
  return plain.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
