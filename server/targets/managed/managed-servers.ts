import type { ServerName } from '../../../shared/target/server-names.ts';
import { apache } from './apache.ts';
import { caddy } from './caddy.ts';
import { envoy } from './envoy.ts';
import { go } from './go.ts';
import { h2o } from './h2o.ts';
import { haproxy } from './haproxy.ts';
import { hitch } from './hitch.ts';
import { jdk } from './jdk.ts';
import { lighttpd } from './lighttpd.ts';
import type { ManagedServer } from './managed-server.ts';
import { nginx } from './nginx.ts';
import { node } from './node.ts';
import { stunnel } from './stunnel.ts';

/** Those that can be started here. Another one is a file beside these, its line here, and its name in `shared/target/target.ts`. */
export const managedServers: Record<ServerName, ManagedServer> = {
  nginx,
  apache,
  lighttpd,
  caddy,
  h2o,
  haproxy,
  hitch,
  stunnel,
  envoy,
  go,
  jdk,
  node,
};
