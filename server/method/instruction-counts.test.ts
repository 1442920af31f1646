/** Protects counts of instructions: files of Callgrind are read as they are, and what has no name belongs to who called it. */
import { expect, test } from 'vitest';
import { ownCosts, parseCounts } from './instruction-counts.ts';

/** A worker of nginx, as Callgrind 3.19 writes it, shortened: names once, then their numbers; lines relative to the one before. */
const worker = `# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 11487
cmd:  /usr/sbin/nginx -p /srv -c /srv/nginx.conf
part: 1

desc: Trigger: dump

positions: line
events: Ir
summary: 1100

ob=(10) /usr/sbin/nginx
fl=(152) ???
fn=(22340) ngx_http_write_filter
0 100
cob=(7) /usr/lib/x86_64-linux-gnu/libssl.so.3
cfi=(149) ???
cfn=(22810) SSL_write
calls=4 0
0 900

fn=(30) 0x0000000000053970
0 20

ob=(7)
fl=(149)
fn=(22810)
26 40
+1 60
cob=(6) /usr/lib/x86_64-linux-gnu/libcrypto.so.3
cfi=(146) ???
cfn=(950) EVP_EncryptUpdate
calls=3 0
* 600
cob=(6)
cfi=(146)
cfn=(77) 0x00000000001ab70
calls=1 0
* 200

ob=(6)
fl=(146)
fn=(950)
0 200
cfn=(77)
calls=3 0
0 400

fn=(77)
0 600

ob=(3) /usr/lib/x86_64-linux-gnu/libc.so.6
fl=(5) ./malloc/malloc.c
fn=(734) free
10 30
-2 50
fn=(736) free'2

totals: 1100
`;

const master = worker
  .replace('summary: 1100', 'summary: 7')
  .replace(/ob=\(10\)[\s\S]*/, '\n0 7\n\ntotals: 7\n');

test('processes are added up, and functions are told apart by library and name', () => {
  const { instructions, programs, functions } = parseCounts([worker, master]);
  expect(instructions).toBe(1107);
  expect([...programs]).toEqual(['nginx']);
  expect([...functions.values()].filter(({ own }) => own > 0)).toEqual([
    { name: 'ngx_http_write_filter', library: 'nginx', own: 100 },
    { name: 'SSL_write', library: 'libssl.so.3', own: 100 },
    { name: null, library: 'nginx', own: 20 },
    { name: 'EVP_EncryptUpdate', library: 'libcrypto.so.3', own: 200 },
    { name: null, library: 'libcrypto.so.3', own: 600 },
    { name: 'free', library: 'libc.so.6', own: 80 },
  ]);
});

test('a function without a name belongs to its callers, as much to each as it called for', () => {
  const costs = ownCosts(parseCounts([worker]), ({ name }) => name !== null);
  // 600 without a name: 400 of them for EVP_EncryptUpdate, and 200 for SSL_write.
  expect(costs.get('libcrypto.so.3 EVP_EncryptUpdate')).toBeCloseTo(600, 9);
  expect(costs.get('libssl.so.3 SSL_write')).toBeCloseTo(300, 9);
  expect([...costs.values()].reduce((sum, each) => sum + each, 0)).toBeCloseTo(1100, 9);
});

test('functions that call each other without names end', () => {
  const loop = worker
    .replace('fn=(950)\n0 200\ncfn=(77)', 'fn=(950)\n0 200\ncfn=(78) 0x2')
    .replace(
      'fn=(77)\n0 600',
      'fn=(77)\n0 600\ncfn=(78)\ncalls=1 0\n0 5\n\nfn=(78)\n0 0\ncfn=(77)\ncalls=1 0\n0 5',
    );
  const costs = ownCosts(parseCounts([loop]), ({ name }) => name !== null);
  expect([...costs.values()].reduce((sum, each) => sum + each, 0)).toBeCloseTo(1100, 9);
});

test.each(['', 'events: Ir\n', worker.replace('events: Ir', 'events: Cy')])(
  '%# is no file of counts',
  (text) => {
    expect(() => parseCounts([text])).toThrow('not a file of counts');
  },
);
