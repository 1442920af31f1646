/** Protects explanations: real samples of nginx find their groups and fold, and neither strange names nor too many of them do harm. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costGroups, groupTitles, groupWords } from '../../shared/kinds/explain/options.ts';
import { costRules, libraryRules } from './cost-rules.ts';
import { graftStacks, ProfileBuilder } from './profile.ts';
import { type Frame, groupOf, pruneStacks, type Sample, SampleParser, type Stack } from './stack-samples.ts';

const nginx = new Set(['nginx']);

function parse(text: string): Sample[] {
  const parser = new SampleParser();
  return [...text.split('\n').map((line) => parser.push(line)), parser.end()].filter((each) => each !== null);
}

/** Output of `perf script` of linux-perf 6.1 for Debian's nginx and OpenSSL 3.0 over HTTPS, one sample of each kind. */
const recorded = parse(readFileSync(new URL('./profile/reference/nginx-https.txt', import.meta.url), 'utf8'));

test('real samples of nginx go to the group of the nearest function that has a name', () => {
  const innermost = ({ name, library }: Frame) => name ?? `[${library}]`;
  const found = recorded.map(({ stack }) => [innermost(stack[0] as Frame), groupOf(stack, nginx)]);
  expect(found).toEqual([
    // Six frames without a name are between it and EVP_EncryptUpdate.
    ['[libcrypto.so.3]', 'encryption'],
    ['__memmove_avx512_unaligned_erms', 'copying'],
    // In softirq, below the write of the sender.
    ['sock_def_readable', 'receive'],
    ['_copy_from_iter', 'copying'],
    ['filemap_get_read_batch', 'files'],
    ['step_into', 'files'],
    // Interrupts come back on there.
    ['finish_task_switch.isra.0', 'scheduling'],
    ['finish_task_switch.isra.0', 'scheduling'],
    ['unlink_chunk.constprop.0', 'memory'],
    ['BIO_ctrl', 'tls'],
    ['[nginx]', 'application'],
    ['fdget_pos', 'systemCalls'],
    ['__tcp_transmit_skb', 'network'],
    ['x64_sys_call', 'systemCalls'],
    ['__GI___libc_write', 'systemCalls'],
  ]);
  expect(recorded[0]).toMatchObject({ pid: 25630, timeNs: 72_800_584_631_000n });
});

/** `EVP_DigestSign@libcrypto.so.3`, and `@libcrypto.so.3` without a name. */
function stackOf(...frames: string[]): Stack {
  return frames.map((frame) => {
    const [name = '', library = ''] = frame.split('@');
    return { name: name === '' ? null : name, library };
  });
}

test.each([
  ['signature', stackOf('@libcrypto.so.3', 'EVP_DigestSign@libcrypto.so.3', 'SSL_do_handshake@libssl.so.3')],
  ['signature', stackOf('bn_mul_mont@node', 'BN_mod_exp_mont@node', 'main@node')],
  ['signature', stackOf('bn_mul_mont@node', 'RSA_private_encrypt@node', 'EVP_DigestSign@node')],
  ['keyAgreement', stackOf('BN_mod_exp_mont@node', 'EVP_PKEY_derive@node', 'SSL_do_handshake@node')],
  [
    'keyAgreement',
    stackOf('EC_POINT_mul@libcrypto.so.3', '@libcrypto.so.3', 'EVP_PKEY_keygen@libcrypto.so.3'),
  ],
  [
    'keyAgreement',
    stackOf('crypto/internal/fips140/nistec.p256Mul@server', 'crypto/ecdh.(*PrivateKey).ECDH@server'),
  ],
  ['signature', stackOf('crypto/internal/fips140/nistec.p256Mul@server', 'crypto/ecdsa.SignASN1@server')],
  ['hashing', stackOf('sha256_block_data_order@libcrypto.so.3', 'EVP_DigestUpdate@libcrypto.so.3')],
  [
    'encryption',
    stackOf('crypto/internal/fips140/aes/gcm.gcmAesEnc@server', 'crypto/tls.(*Conn).Write@server'),
  ],
  ['encryption', stackOf('@libnettle.so.8', 'gnutls_aead_cipher_encrypt@libgnutls.so.30')],
  [
    'garbage',
    stackOf('runtime.scanobject@server', 'runtime.gcDrain@server', 'runtime.gcBgMarkWorker@server'),
  ],
  ['garbage', stackOf('malloc@libc.so.6', 'v8::internal::Heap::CollectGarbage@node', 'main@node')],
  ['memory', stackOf('clear_page_erms@kernel', 'do_user_addr_fault@kernel', 'ngx_palloc@nginx')],
  ['application', stackOf('@jit', '@jit')],
  // A function of JavaScript may be called like one of a library.
  ['javascript', stackOf('acceptOrder shop.ts:7@javascript', 'Builtins_JSEntry@node', 'main@node')],
  ['javascript', stackOf('v8::internal::LookupIterator::Start@node', 'answer shop.ts:7@javascript')],
  ['application', stackOf('llhttp__internal__run@node', 'main@node')],
  ['tls', stackOf('node::crypto::TLSWrap::EncOut@node', 'main@node')],
  ['compiling', stackOf('malloc@libc.so.6', 'v8::internal::compiler::PipelineImpl::Run@node')],
  [
    'encryption',
    stackOf('StubRoutines (2)@jit', 'com.sun.crypto.provider.GHASH.processBlocks@jit', 'Interpreter@jit'),
  ],
  ['signature', stackOf('java.math.MutableBigInteger.divide@jit', 'Interpreter@jit')],
  ['compiling', stackOf('PhaseChaitin::Split@libjvm.so', 'C2Compiler::compile_method@libjvm.so')],
  // A rule would call an unknown function of the kernel the cost of entering it.
  ['other', stackOf('brand_new_thing@kernel', 'do_syscall_64@kernel', 'main@nginx')],
  ['other', stackOf('@libunheard.so.1')],
] as const)('%s: %o', (group, stack) => {
  expect(groupOf(stack, new Set(['nginx', 'node', 'server']))).toBe(group);
});

test('every group has its words, and all but “other” have rules', () => {
  for (const group of costGroups) expect(groupTitles[group] && groupWords[group]).toBeTruthy();
  const named = [...costRules, ...libraryRules].map(({ group }) => group);
  expect(costGroups.filter((group) => !named.includes(group))).toEqual(['other']);
});

test('counts add up, and what is folded starts with the outermost function', () => {
  const builder = new ProfileBuilder(nginx);
  for (const { stack } of recorded) builder.add(stack);
  const { samples, groups, stacks } = builder.finish();
  expect(samples).toBe(recorded.length);
  expect(Object.values(groups).reduce((sum, count) => sum + count, 0)).toBe(samples);
  expect(stacks.reduce((sum, each) => sum + each.samples, 0)).toBe(samples);
  // One is deeper than what perf copies of it, and is put where others go through.
  expect(stacks.every(({ stack }) => stack.startsWith('_start;'))).toBe(true);
  expect(
    stacks.some(({ stack }) => stack.endsWith(';SSL_write;[libssl.so.3];EVP_EncryptUpdate;[libcrypto.so.3]')),
  ).toBe(true);
  expect(builder.unnamed()).toBeNull();
});

test('only base names of libraries and printable names of one line are kept', () => {
  const [sample] = parse(
    [
      '7/9 12.5: ',
      '\t 1f <img src=x onerror=alert(1)>;\u0007 (/home/someone/secret dir/app)',
      '\t 2f std::map<int, (anonymous namespace)::T>::find(int) (/tmp/perf-7.map)',
      '\tffff f [nf_tables] ([nf_tables])',
    ].join('\n'),
  );
  expect(sample).toEqual({
    pid: 7,
    timeNs: 12_500_000_000n,
    stack: [
      { name: '<img src=x onerror=alert(1)>:\u0020', library: 'app' },
      { name: 'std::map<int, (anonymous namespace)::T>::find(int)', library: 'jit' },
      { name: 'f [nf_tables]', library: 'kernel' },
    ],
  });
});

test.each([
  ["JS:*'answer file:///home/someone/node-server.ts:72:18", 'answer node-server.ts:72', 'javascript'],
  ["JS:+'Socket._writeGeneric node:net:1231:42", 'Socket._writeGeneric node:net:1231', 'javascript'],
  ["JS:^'of /home/some one/secret dir/shop.js:3:9", 'of shop.js:3', 'javascript'],
  ["JS:~' file:///home/someone/shop.ts:1:1", '(anonymous) shop.ts:1', 'javascript'],
  ['RegExp:^a+$', '^a+$', 'javascript'],
  ['void java.util.HashMap.putVal(int, java.lang.Object)', 'java.util.HashMap.putVal', 'jit'],
  ['Interpreter', 'Interpreter', 'jit'],
])('%s', (symbol, name, library) => {
  const [sample] = parse(`7/9 12.5: \n\t 1f ${symbol}+0x1f (/tmp/perf-7.map)`);
  expect(sample?.stack).toEqual([{ name, library }]);
});

test('a name of a megabyte is cut before any pattern reads it', () => {
  const name = `JS:*'answer ${'/a b'.repeat(250_000)}/server.ts:72:18`;
  const [sample] = parse(`  12/12  1.000000:\n  7f00 ${name} (/tmp/perf-12.map)\n\n`);
  expect(sample?.stack[0]).toEqual({ name: 'answer server.ts:72', library: 'javascript' });
});

test('a program with 100,000 functions stays small, and none of its samples is lost', () => {
  const builder = new ProfileBuilder(nginx);
  for (let index = 0; index < 100_000; index++) builder.add(stackOf(`f${index}@nginx`, 'main@nginx'));
  const { samples, groups, stacks } = builder.finish();
  expect([samples, groups.application]).toEqual([100_000, 100_000]);
  expect(stacks.length).toBeLessThan(10);
});

test('a stack without its outer end goes where most others with that part come from', () => {
  const grafted = graftStacks([
    { stack: '_start;main;loop;handle;write', samples: 5 },
    { stack: 'thread;main;loop;handle;read', samples: 2 },
    { stack: 'loop;handle;write;encrypt;mix', samples: 1 },
    { stack: 'elsewhere;a;b', samples: 1 },
  ]);
  expect(grafted.map(({ stack }) => stack)).toEqual([
    '_start;main;loop;handle;write',
    'thread;main;loop;handle;read',
    '_start;main;loop;handle;write;encrypt;mix',
    'elsewhere;a;b',
  ]);
});

test('what nobody would see is part of its caller', () => {
  expect(
    pruneStacks([
      { stack: 'main;a;big', samples: 990 },
      { stack: 'main;a;small', samples: 1 },
      { stack: 'main;a;small;smaller', samples: 1 },
      { stack: 'main;b', samples: 8 },
    ]),
  ).toEqual([
    { stack: 'main;a;big', samples: 990 },
    { stack: 'main;b', samples: 8 },
    { stack: 'main;a;small', samples: 2 },
  ]);
});

test('a program without names is found, however well its libraries are named', () => {
  const builder = new ProfileBuilder(new Set(['hitch', 'nginx']));
  for (let index = 0; index < 60; index++) {
    builder.add(stackOf('SSL_write@libssl.so.3', '@hitch', '_start@hitch'));
    builder.add(stackOf('ngx_http_handler@nginx', '@nginx'));
  }
  expect(builder.unnamed()).toBe('hitch');
});

test('a stub is named where the library that it alone loads is, and the library’s functions are the program’s', () => {
  const stack = stackOf(
    '@python3.13',
    'PyEval_EvalFrame@libpython3.13.so.1.0',
    'main@python3.13',
    '_start@python3.13',
  );
  const whole = new Set(['python3.13', 'libpython3.13.so.1.0']);
  const builders = [new Set(['python3.13']), whole].map((programs) => {
    const builder = new ProfileBuilder(programs);
    for (let index = 0; index < 60; index++) builder.add(stack);
    return builder;
  });
  expect(builders.map((builder) => builder.unnamed())).toEqual(['python3.13', null]);
  expect(groupOf(stackOf('PyDict_New@libpython3.13.so.1.0', '@libunheard.so.1'), whole)).toBe('application');
});
