import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The page of a result as one file, into which the server puts the result. */
export default defineConfig({
  root: 'client',
  publicDir: false,
  mode: 'file',
  plugins: [react(), packPage()],
  build: {
    outDir: '../dist/file',
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('client/file/main.tsx', import.meta.url)),
      // Schemas that nothing is parsed by.
      treeshake: { moduleSideEffects: [{ test: /^(?!.*node_modules).*\/shared\//, sideEffects: false }] },
      output: { codeSplitting: false },
    },
  },
});

/**
 * Puts the script and the style into the one page, packed: plain, they alone would be larger than what a file may be. The page's
 * policy names the two scripts that may run, by their hashes, and lets nothing be loaded from anywhere.
 */
function packPage(): Plugin {
  return {
    name: 'pack-page',
    // Once every other plugin has made of the script what it is.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle);
        const [program] = outputs.flatMap((output) => (output.type === 'chunk' ? [output.code] : []));
        const [style] = outputs.flatMap((output) =>
          output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : [],
        );
        if (program === undefined || style === undefined || outputs.length !== 2) {
          return this.error(`one script and one style were expected, not ${Object.keys(bundle).join(', ')}`);
        }
        for (const name of Object.keys(bundle)) delete bundle[name];
        this.emitFile({ type: 'asset', fileName: 'page.html', source: pageOf(program, style) });
      },
    },
  };
}

function pageOf(program: string, style: string): string {
  const unpack = readSource('unpack.js');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(unpack)} ${hashOf(program)}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const icon = readSource('../../public/favicon.svg');
  const parts: Record<string, string> = {
    ...{ policy, unpack: `<script>${unpack}</script>`, icon: Buffer.from(icon).toString('base64') },
    ...{ style: pack(style), program: pack(program) },
  };
  // What is left is the result's.
  return readSource('page.html').replace(/%(\w+)%/g, (mark, name: string) => parts[name] ?? mark);
}

function readSource(name: string): string {
  return readFileSync(new URL(`client/file/${name}`, import.meta.url), 'utf8');
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

function pack(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64');
}
