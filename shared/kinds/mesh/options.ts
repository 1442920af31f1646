import { type Options, placeOptions } from '../../base/option.ts';
import { documentOption, seedOption, usersOption } from '../../measurement/load-options.ts';
import { serverKeys, serverNames } from '../../target/server-options.ts';
import { serverTitles } from '../../target/target-words.ts';

/** Servers of this machine that can stand in front of an application. */
const proxyNames = ['haproxy', 'envoy'] as const;
export type ProxyName = (typeof proxyNames)[number];

export const meshTable = {
  proxy: {
    type: 'choice',
    choices: proxyNames,
    default: 'haproxy',
    labels: { haproxy: 'HAProxy', envoy: 'Envoy' },
    spelledOut: true,
    label: 'Proxy',
    help: 'Proxy in front of the application',
    hint: null,
    group: 'Proxies',
  },
  clientProxy: {
    type: 'flag',
    default: false,
    label: 'Proxy on the client’s side',
    help: 'Put a second proxy on the client’s side, as sidecars do',
    hint: 'TLS then runs from proxy to proxy, as between sidecars.',
    group: 'Proxies',
  },
  mutual: {
    type: 'flag',
    default: false,
    flag: '--mutual-tls',
    label: 'Mutual TLS',
    help: 'Require a client certificate (mutual TLS)',
    hint: null,
    group: 'Proxies',
  },
  key: {
    type: 'choice',
    choices: serverKeys,
    default: 'P-256',
    takes: 'kind',
    label: 'Certificate key',
    help: 'Key of the proxy’s certificate',
    hint: null,
    group: 'Proxies',
  },
  application: {
    type: 'choice',
    choices: serverNames,
    default: 'nginx',
    labels: serverTitles,
    label: 'Application',
    help: 'Server to start as the application',
    hint: null,
    group: 'Application',
  },
  bytes: { ...documentOption, group: 'Application' },
  address: {
    type: 'text',
    pattern: /^https?:\/\/\S+$/,
    taken: 'an http address, such as http://127.0.0.1:8080/path',
    default: null,
    takes: 'url',
    label: 'Address',
    help: 'Application that is already running, such as `http://127.0.0.1:8080/path`, instead of one to start',
    hint: 'An application that is already running on this machine.',
    usual: 'start one',
    group: 'Application',
  },
  users: { ...usersOption, group: 'Starts and load' },
  launches: {
    type: 'whole',
    min: 3,
    max: 30,
    default: 6,
    flag: '--starts',
    label: 'Starts',
    help: 'How often to start the proxies and the application',
    hint: 'About 7 s each.',
    group: 'Starts and load',
  },
  seed: { ...seedOption, group: 'Starts and load' },
} as const satisfies Options;

export const meshOptions = placeOptions(null, meshTable);
