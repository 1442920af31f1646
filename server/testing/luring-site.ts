import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { openAuthority } from '../targets/certificates/certificate-authority.ts';

/**
 * For tests: a site of somebody else, over http on port 8080 and https on 8443 of its host, whose pages send whoever visits them to
 * another address. Its arguments are a directory for its certificates and that address, as a URL writes it. `/` asks for it in
 * every way that a page has, `/away` redirects there, and `/leave` goes there by itself. `/to/HOST` redirects to that host.
 */

const [directory = '', lure = ''] = process.argv.slice(2);
const away = `http://${lure}:8080`;

const page = `<!doctype html><title>Lure</title>
<link rel="preconnect" href="${away}"><link rel="prefetch" href="${away}/prefetched">
<link rel="stylesheet" href="${away}/style.css"><link rel="icon" href="${away}/icon">
<img src="${away}/image" alt=""><iframe src="${away}/frame"></iframe><iframe src="/away"></iframe>
<object data="${away}/object"></object><script src="${away}/script.js"></script>
<script>
  fetch('${away}/fetched', { mode: 'no-cors' }).catch(() => {});
  fetch('/away', { mode: 'no-cors' }).catch(() => {});
  navigator.sendBeacon('${away}/beacon', 'x');
  new WebSocket('ws://${lure}:8080/socket');
  new EventSource('${away}/events');
  if (typeof RTCPeerConnection !== 'undefined') {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${lure}:8080' }] });
    peer.createDataChannel('x');
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  }
</script><p>Welcome</p>`;

const answer: RequestListener = (request, response) => {
  request.resume();
  if (request.url === '/away') {
    response.writeHead(302, { Location: `${away}/arrived` }).end();
    return;
  }
  const [, to] = /^\/to\/(.+)/.exec(request.url ?? '') ?? [];
  if (to !== undefined) {
    response.writeHead(302, { Location: `http://${to}/` }).end();
    return;
  }
  response.setHeader('Content-Type', 'text/html');
  response.end(request.url === '/leave' ? `<meta http-equiv="refresh" content="0; url=${away}/left">` : page);
};

const authority = await openAuthority(directory);
const http = createHttp({ keepAliveTimeout: 60_000 }, answer).listen(8080, '0.0.0.0');
const https = createHttps({ cert: authority.certPem, key: authority.keyPem }, answer).listen(8443, '0.0.0.0');
await Promise.all([http, https].map((server) => once(server, 'listening')));
process.stdout.write('ready\n');
