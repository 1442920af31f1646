import { renderPicture } from './render-picture.ts';

/** Draws one picture at a time, as a run may be measured meanwhile, and keeps the newest. */
export type Pictures = { render(svg: string): Promise<Buffer> };

/** About 60 kB each. */
const mostKept = 50;

export function openPictures(render: typeof renderPicture = renderPicture): Pictures {
  const kept = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();

  function draw(svg: string): Promise<Buffer> {
    const drawn = last.then(() => render(svg));
    last = drawn.catch(() => {});
    // What failed is drawn again when it is asked for again.
    drawn.catch(() => kept.delete(svg));
    return drawn;
  }

  return {
    render(svg) {
      const picture = kept.get(svg) ?? draw(svg);
      // The newest stand last.
      kept.delete(svg);
      kept.set(svg, picture);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
      return picture;
    },
  };
}
