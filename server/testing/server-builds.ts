import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * For the tests of what reads CPU: small servers of every build that there is. Each burns some CPU for every request, answers,
 * and prints its port first of all.
 */
type ServerBuild = { program: string; file: string; text: string; args?: string[] };

const burnMs = 2;

const node = (text: string): ServerBuild => ({ program: process.execPath, file: 'server.mjs', text });
const python = (text: string): ServerBuild => ({ program: 'python3', file: 'server.py', text });

const nodeAnswer = `
import { createServer } from 'node:http';
import cluster from 'node:cluster';
function answer(request, response) {
  const from = process.threadCpuUsage();
  const spentUs = () => Object.values(process.threadCpuUsage(from)).reduce((sum, us) => sum + us);
  while (spentUs() < ${burnMs * 1000});
  response.end('done');
}
`;

const pythonAnswer = `
import http.server, socketserver, ssl, sys, threading, time
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        since = time.thread_time()
        while time.thread_time() - since < ${burnMs / 1000}: pass
        self.send_response(200)
        self.send_header('Content-Length', '4')
        self.end_headers()
        self.wfile.write(b'done')
    def log_message(self, *_): pass
def serve(kind):
    plain, secure = kind(('127.0.0.1', 0), Answer), kind(('127.0.0.1', 0), Answer)
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        secure.socket = context.wrap_socket(secure.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=secure.serve_forever, args=(0.01,), daemon=True).start()
    print(plain.server_address[1], secure.server_address[1], flush=True)
    plain.serve_forever(0.01)
`;

const serverBuilds = {
  'event loop': node(`${nodeAnswer}
const server = createServer(answer).listen(0, '127.0.0.1', () => console.log(server.address().port));`),
  'pre-fork': node(`${nodeAnswer}
if (cluster.isPrimary) {
  for (let worker = 0; worker < 3; worker++) cluster.fork();
  let listening = 0;
  cluster.on('listening', (_, { port }) => ++listening === 3 && console.log(port));
} else createServer(answer).listen(0, '127.0.0.1');`),
  'thread per connection': python(`${pythonAnswer}\nserve(http.server.ThreadingHTTPServer)`),
  'process per connection': python(`${pythonAnswer}
class Forking(socketserver.ForkingMixIn, http.server.HTTPServer): pass
serve(Forking)`),
  'process per connection, never waited for': python(`${pythonAnswer}
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
class Forking(socketserver.ForkingMixIn, http.server.HTTPServer):
    def collect_children(self, *, blocking=False): self.active_children = None
serve(Forking)`),
  'thread pool': python(`${pythonAnswer}
from concurrent.futures import ThreadPoolExecutor
class Pooled(socketserver.ThreadingMixIn, http.server.HTTPServer):
    pool = ThreadPoolExecutor(8)
    def process_request(self, *connection): self.pool.submit(self.process_request_thread, *connection)
serve(Pooled)`),
  JVM: {
    program: 'java',
    args: ['-XX:TieredStopAtLevel=1'],
    file: 'Server.java',
    text: `
import com.sun.net.httpserver.HttpServer;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
class Server {
  public static void main(String[] args) throws Exception {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    var threads = ManagementFactory.getThreadMXBean();
    server.createContext("/", exchange -> {
      long since = threads.getCurrentThreadCpuTime();
      while (threads.getCurrentThreadCpuTime() - since < ${burnMs}_000_000L);
      exchange.sendResponseHeaders(200, 4);
      try (var body = exchange.getResponseBody()) { body.write("done".getBytes()); }
    });
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println(server.getAddress().getPort());
  }
}`,
  },
} satisfies Record<string, ServerBuild>;

export type ServerBuildName = keyof typeof serverBuilds;

export function hasBuild(name: ServerBuildName): boolean {
  return spawnSync(serverBuilds[name].program, ['--version']).status === 0;
}

export type BuiltServer = {
  pid: number;
  port: number;
  /** Null without an identity. */
  httpsPort: number | null;
  /** One request after the other, each on a connection of its own. */
  ask(requests: number): Promise<void>;
  /** The same, all at once. */
  askAtOnce(requests: number): Promise<void>;
  stop(): Promise<void>;
};

/** CPU that requests cost at least, µs. */
export const leastUs = (requests: number) => requests * burnMs * 1000;

/** @param identity path of the certificate and key of a second listener in the same process; of those in Python only */
export async function startBuild(name: ServerBuildName, identity?: string): Promise<BuiltServer> {
  const { program, file, text, args = [] }: ServerBuild = serverBuilds[name];
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-build-'));
  writeFileSync(join(directory, file), text);
  // In a group of its own, which ends as a whole.
  const child = spawn(
    program,
    [...args, join(directory, file), ...(identity === undefined ? [] : [identity])],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await exited;
    }
    rmSync(directory, { recursive: true });
  };
  try {
    const [port = 0, httpsPort = 0] = await firstNumbers(child);
    const ask = () => get(port);
    return {
      pid: child.pid ?? 0,
      port,
      httpsPort: identity === undefined ? null : httpsPort,
      async ask(requests) {
        for (let sent = 0; sent < requests; sent++) await ask();
      },
      async askAtOnce(requests) {
        await Promise.all(Array.from({ length: requests }, ask));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstNumbers({ stdout }: ChildProcess): Promise<number[]> {
  let printed = '';
  for await (const chunk of stdout ?? []) {
    printed += chunk;
    if (printed.includes('\n')) return printed.trim().split(' ').map(Number);
  }
  throw new Error('the server ended before it listened');
}

async function get(port: number): Promise<void> {
  const asked = request({ host: '127.0.0.1', port, agent: false, headers: { connection: 'close' } }).end();
  const [response] = await once(asked, 'response');
  await response.toArray();
  if (!asked.destroyed) await once(asked, 'close');
}
