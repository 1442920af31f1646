/** A text of a scenario in pieces: plain text, variables `${name}` and secrets `${secret:name}`. */
export type Piece = { kind: 'text' | 'variable' | 'secret'; text: string };

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(/\$\{(secret:)?([A-Za-z_]\w*)\}/g)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    pieces.push({ kind: match[1] === undefined ? 'variable' : 'secret', text: match[2] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** As an expression of JavaScript: a string, or a template whose names `refer` writes. */
export function asJavaScript(text: string, refer: (piece: Piece) => string): string {
  const pieces = piecesOf(text);
  if (pieces.every(({ kind }) => kind === 'text')) return quote(text);
  const inner = pieces.map((piece) =>
    piece.kind === 'text' ? escapeTemplate(piece.text) : `\${${refer(piece)}}`,
  );
  return `\`${inner.join('')}\``;
}

/** A string literal in single quotes; a line end of Unicode would end one in older engines. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

function escapeTemplate(text: string): string {
  return text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r');
}
