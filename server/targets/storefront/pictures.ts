/** The pictures of the shop, drawn by rule: a pattern of its own for each department, some kilobytes each. */

export function drawLogo(): string {
  return svg(
    180,
    40,
    `<rect width="180" height="40" rx="4" fill="#28536b"/>
<circle cx="20" cy="20" r="11" fill="none" stroke="#fbfaf6" stroke-width="2"/><path d="M27 27l7 7" stroke="#fbfaf6" stroke-width="3"/>
<text x="44" y="26" font-family="Georgia, serif" font-size="17" fill="#fbfaf6">Quiet Street</text>`,
  );
}

export function drawFavicon(): string {
  return svg(
    32,
    32,
    `<rect width="32" height="32" rx="6" fill="#28536b"/><circle cx="14" cy="14" r="7" fill="none" stroke="#fbfaf6" stroke-width="3"/>
<path d="M19 19l8 8" stroke="#fbfaf6" stroke-width="4"/>`,
  );
}

/** A mosaic of tiles whose tints and turns follow from the department's number. */
export function drawCategory(number: number): string {
  const hue = (number * 47) % 360;
  const tiles: string[] = [];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const turn = ((row * column + number * (row + column)) % 4) * 90;
      const light = 35 + ((row * 5 + column * 3 + number * 7) % 9) * 5;
      tiles.push(
        `<path transform="translate(${column * 12} ${row * 12}) rotate(${turn} 6 6)" fill="hsl(${hue} 35% ${light}%)" d="M0 0h12A12 12 0 0 1 0 12z"/>`,
      );
    }
  }
  return svg(96, 96, `<rect width="96" height="96" fill="hsl(${hue} 30% 92%)"/>\n${tiles.join('\n')}`);
}

function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n${content}\n</svg>\n`;
}
