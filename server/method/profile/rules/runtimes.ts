import { type CostRule, rulesOf, wholeRulesOf } from './cost-rule.ts';

/** Packages of Go, classes of the JDK and functions of its virtual machine, V8, and Node. */
export const runtimeRules: readonly CostRule[] = [
  ...wholeRulesOf('Go', {
    garbage: 'runtime.gcBgMarkWorker*, runtime.gcAssistAlloc*, runtime.bgsweep*, runtime.bgscavenge*',
  }),
  ...wholeRulesOf('JDK', {
    compiling: 'CompileBroker::*, C2Compiler::*, Compiler::*, CompilationPolicy::*',
    garbage: 'G1*, WorkerThread::run*, GangWorker::*, ConcurrentGCThread::*, VM_G1*, VM_Collect*',
  }),
  ...wholeRulesOf('V8', {
    compiling: `
      v8::internal::compiler::*, v8::internal::maglev::*, v8::internal::baseline::*,
      v8::internal::OptimizingCompile*, v8::internal::Compiler::*, v8::internal::OptimizedCompilationJob::*
    `,
    garbage: `
      v8::internal::Heap::CollectGarbage*, v8::internal::Scavenger*, v8::internal::MarkCompact*,
      v8::internal::ConcurrentMarking*, v8::internal::Sweeper*, v8::internal::MinorMarkSweep*,
      v8::internal::ArrayBufferSweeper*, v8::internal::IncrementalMarking*, v8::internal::Marking*,
      v8::internal::PagedSpaceForNewSpace*, v8::internal::MemoryAllocator*
    `,
  }),
  ...rulesOf('Go', {
    encryption: `
      crypto/aes.*, crypto/cipher.*, crypto/internal/fips140/aes*, crypto/tls.(*halfConn).*,
      crypto/tls.(*xorNonceAEAD).*, crypto/tls.(*prefixNonceAEAD).*, golang.org/x/crypto/chacha20*,
      vendor/golang.org/x/crypto/chacha20*, vendor/golang.org/x/crypto/internal/poly1305*
    `,
    keyAgreement: `
      crypto/ecdh.*, crypto/mlkem*, crypto/internal/fips140/mlkem*, crypto/internal/fips140/ecdh*
    `,
    signature: `
      crypto/ecdsa.*, crypto/rsa.*, crypto/ed25519.*, crypto/x509.*, crypto/internal/fips140/ecdsa*,
      crypto/internal/fips140/rsa*
    `,
    arithmetic: `
      crypto/elliptic*, crypto/internal/fips140/nistec*, crypto/internal/fips140/bigmod*,
      crypto/internal/fips140/edwards25519*, crypto/internal/nistec*, math/big.*
    `,
    hashing: `
      crypto/sha*, crypto/hmac.*, crypto/internal/fips140/sha*, crypto/internal/fips140/hmac*,
      crypto/internal/fips140/hkdf*, crypto/internal/fips140/tls1*, crypto/md5.*
    `,
    tls: 'crypto/tls.*, crypto/*',
    memory:
      'runtime.mallocgc*, runtime.newobject*, runtime.makeslice*, runtime.growslice*, runtime.(*mcache)*',
    garbage: 'runtime.gc*, runtime.scanobject*, runtime.greyobject*, runtime.sweepone*, runtime.wb*',
    scheduling: `
      runtime.schedule*, runtime.findRunnable*, runtime.park*, runtime.futex*, runtime.netpoll*,
      runtime.mcall*, runtime.gopark*, runtime.goready*, runtime.ready*, runtime.usleep*, runtime.lock*,
      runtime.unlock*, runtime.exitsyscall*, runtime.entersyscall*, runtime.casgstatus*, runtime.mstart*,
      runtime.runqgrab*, runtime.stealWork*, runtime.wakep*, runtime.startm*, runtime.stopm*
    `,
  }),
  ...rulesOf('JDK', {
    encryption:
      'com.sun.crypto.*, javax.crypto.Cipher*, javax.crypto.CipherSpi*, sun.security.ssl.SSLCipher*',
    keyAgreement: `
      java.security.KeyPairGenerator*, javax.crypto.KeyAgreement*, java.security.SecureRandom*,
      sun.security.ec.XDH*, sun.security.ec.ECDH*, sun.security.ssl.KAKeyDerivation*
    `,
    signature: `
      java.security.Signature*, sun.security.rsa.*, sun.security.x509.*, sun.security.ec.ECDSA*
    `,
    arithmetic:
      'sun.security.ec.*, sun.security.util.math.*, java.math.*, sun.security.jca.*, sun.security.util.*',
    hashing: `
      sun.security.provider.*, java.security.MessageDigest*, javax.crypto.Mac*,
      com.sun.crypto.provider.Hmac*, com.sun.crypto.provider.Tls*, sun.security.ssl.HKDF*,
      sun.security.ssl.HandshakeHash*
    `,
    tls: 'sun.security.*, java.security.*, javax.net.ssl.*',
    copying: `
      Copy::*, jbyte_*, jlong_*, Unsafe_CopyMemory*, java.util.Arrays.copy*, java.nio.HeapByteBuffer.put,
      java.nio.HeapByteBuffer.get, java.nio.DirectByteBuffer.put, java.nio.DirectByteBuffer.get,
      java.nio.ByteBuffer.put, java.nio.ByteBuffer.get
    `,
  }),
  ...rulesOf('V8', {
    javascript: 'Builtins_*, v8::*, node::builtins::*',
    garbage: `
      v8::internal::Heap::*, v8::internal::Sweeper*, v8::internal::Concurrent*,
      v8::internal::IncrementalMarking*
    `,
  }),
  ...rulesOf('Node', {
    tls: 'node::crypto::*, node::TLSWrap*, ncrypto::*',
  }),
];
