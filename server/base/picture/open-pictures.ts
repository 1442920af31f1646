import { createRequire } from 'node:module';

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
    // A failed picture is drawn again the next time it is asked for.
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

/** From a package, as a machine may have no fonts at all. */
const fontFiles = ['400Regular/Inter_400Regular.ttf', '700Bold/Inter_700Bold.ttf'].map((file) =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${file}`),
);

/** Letters that Inter has none for: its scripts are Latin, Greek and Cyrillic. */
const otherScripts = /[^\p{Cc}\u0020-\u052f\u1e00-\u23ff\u2500-\u27bf\ufffd]/u;

/** An SVG as PNG. Drawn on a thread of its own, by a library that is loaded for the first picture. */
export async function renderPicture(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const image = await renderAsync(svg, {
    // To look through the fonts of a machine takes its time.
    font: { loadSystemFonts: otherScripts.test(svg), fontFiles, defaultFontFamily: 'Inter' },
  });
  return image.asPng();
}
