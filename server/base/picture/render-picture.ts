import { createRequire } from 'node:module';

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
