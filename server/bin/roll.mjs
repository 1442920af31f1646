/**
 * For tests: the programs that they start, rolled into chunks in a directory of the clone, because hundreds of modules take longer to load:
 * a server listens after 0.84 s of CPU instead of 1.44. Threads and processes that a program starts are rolled with it.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = resolve(process.argv[2]);
const programs = [
  'server/edge/main.ts',
  'server/edge/cli.ts',
  ...['brief-program', 'dashboards-process', 'scripted-server'].map((name) => `server/testing/${name}.ts`),
];
/** A module that is started as a thread or a process. */
const started = /new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url,?\s*\)/g;

const named = globSync('server/**/*.ts', {
  cwd: root,
  exclude: ['**/*.test.ts', 'server/{bench,testing}/**'],
}).flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(started)].map(([, path]) => join(dirname(from), path)),
);
const withoutEnding = (path) => path.slice(0, -'.ts'.length);

await build({
  ...{ root, configFile: false, publicDir: false, logLevel: 'warn' },
  plugins: [{ name: 'places', enforce: 'pre', transform: { filter: { id: /\.ts$/ }, handler: keepPlaces } }],
  build: {
    ...{ ssr: true, outDir: target, emptyOutDir: true, minify: false },
    rolldownOptions: {
      input: Object.fromEntries(
        [...programs, ...named].map((path) => [withoutEnding(path), join(root, path)]),
      ),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});

/** Lets a module find the programs that it starts among the rolled ones, and everything else next to its source. */
function keepPlaces(code, id) {
  const here = pathToFileURL(id).href;
  return code
    .replace(started, (_, path) => {
      const module = relative(root, fileURLToPath(new URL(path, here)));
      return `new URL(${JSON.stringify(pathToFileURL(join(target, `${withoutEnding(module)}.js`)).href)})`;
    })
    .replaceAll('import.meta.url', JSON.stringify(here));
}
