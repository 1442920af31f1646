import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = { target: 'http://127.0.0.1:7300', changeOrigin: true };

/** The client alone: the server runs as it is. In development everything that is not a page comes from a running server. */
export default defineConfig({
  root: 'client',
  publicDir: '../public',
  plugins: [react(), inlineIcon(), compressFiles()],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
    // Few files: what the first screen loads, what others share, and one for each. `npm run bench` watches the first.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Apart, as React makes errors when it starts: a browser whose tools are open reads the whole file again for their places.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 5 },
            { name: 'first', tags: ['$initial'], priority: 4 },
            // What the first screen does without until it is shown, with all that it needs.
            {
              name: 'requests',
              test: /launch\/launch-form\.ts|shared\/api\/(measurement|server|scenario|target)-endpoints\.ts/,
              priority: 3,
            },
            {
              name: 'charts',
              test: /node_modules\/(chart|react-chartjs|@kurkle)|client\/charts\/(?!flame)/,
              priority: 2,
            },
            { name: 'later', test: /\/(client|shared)\//, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '^/[rlsc]/[^/]+\\.(json|csv|jsonl|parquet|md|html|folded)$': server,
      '^/r/[^/]+/(badge\\.svg|og\\.png|embed)$': server,
    },
  },
});

/** The icon in the page itself, which saves a request. */
function inlineIcon(): Plugin {
  const icon = readFileSync(new URL('public/favicon.svg', import.meta.url), 'utf8');
  const address = `data:image/svg+xml,${encodeURIComponent(icon)}`;
  return {
    name: 'inline-icon',
    apply: 'build',
    transformIndexHtml: (html) => html.replace('/favicon.svg', address),
  };
}

/** Every text, also in a compressed form beside it, made once and at its best; the server sends what the browser takes. */
function compressFiles(): Plugin {
  let directory = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved({ root, build }) {
      directory = join(root, build.outDir);
    },
    // Files that are served untouched are there by then as well.
    closeBundle() {
      for (const name of globSync('**/*.{html,css,js,json,md,svg,yaml}', { cwd: directory })) {
        const path = join(directory, name);
        const text = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
        writeFileSync(`${path}.br`, brotliCompressSync(text));
      }
    },
  };
}
