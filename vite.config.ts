import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = { target: 'http://127.0.0.1:7300', changeOrigin: true };

/** The client alone: the server runs as it is. In development everything that is not a page comes from a running server. */
export default defineConfig({
  root: 'client',
  publicDir: '../public',
  plugins: [react()],
  // One chunk for the first screen; `npm run bench` watches its size gzipped, which is what counts.
  build: { outDir: '../dist/client', emptyOutDir: true, chunkSizeWarningLimit: 700 },
  server: { proxy: { '/api': server, '^/[rs]/[^/]+\\.(json|csv|md)$': server } },
});
