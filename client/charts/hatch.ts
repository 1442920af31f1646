const size = 10;

/** Slanted stripes of `color` on `ground`, for a bar that must differ by more than its colour. */
export function hatch(color: string, ground: string): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const context = tile.getContext('2d');
  if (context === null) return color;
  context.fillStyle = ground;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = color;
  context.lineWidth = 4.5;
  context.beginPath();
  for (const shift of [-size, 0, size]) {
    context.moveTo(shift - 2, size + 2);
    context.lineTo(shift + size + 2, -2);
  }
  context.stroke();
  return context.createPattern(tile, 'repeat') ?? color;
}
