/**
 * Options of curl that do not change the request: they choose the output, set timers, or belong to other protocols.
 */
export const withoutEffect = `
  alt-svc= a|append basic ca-native cert-status compressed-ssh connect-timeout= create-dirs
  create-file-mode= crlfile= delegation= q|disable disable-eprt disable-epsv disallow-username-in-url
  dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url=
  D|dump-header= ech= egd-file= engine= eprt epsv etag-save= expect100-timeout= f|fail fail-early
  fail-with-body false-start ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv
  P|ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control ftp-ssl-reqd
  happy-eyeballs-timeout-ms= hostpubmd5= hostpubsha256= hsts= http1.1 ignore-content-length i|include
  interface= ip-tos= ipfs-gateway= 4|ipv4 6|ipv6 keepalive-cnt= keepalive-time= knownhosts= krb=
  libcurl= limit-rate= l|list-only local-port= login-options= mail-auth= mail-from= mail-rcpt=
  mail-rcpt-allowfails max-filesize= max-redirs= m|max-time= mptcp no-alpn N|no-buffer no-clobber
  no-keepalive no-npn no-progress-meter no-sessionid noproxy= out-null o|output= output-dir= Z|parallel
  parallel-immediate parallel-max= parallel-max-host= post301 post302 post303 #|progress-bar proto=
  proto-default= proto-redir= proxy-anyauth proxy-basic proxy-ca-native proxy-cacert= proxy-capath=
  proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-http2
  proxy-insecure proxy-key= proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey=
  proxy-service-name= proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers=
  proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 U|proxy-user= p|proxytunnel pubkey=
  Q|quote= random-file= rate= raw J|remote-header-name O|remote-name remote-name-all R|remote-time
  remove-on-error retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-authzid=
  sasl-ir service-name= S|show-error i|show-headers sigalgs= s|silent skip-existing socks5-basic
  socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= Y|speed-limit= y|speed-time= ssl ssl-allow-beast
  ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort ssl-sessions= 2|sslv2 3|sslv3 stderr=
  styled-output suppress-connect-headers tcp-fastopen tcp-nodelay t|telnet-option= tftp-blksize=
  tftp-no-options tls-earlydata tlsauthtype= tlspassword= tlsuser= 1|tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 trace=
  trace-ascii= trace-config= trace-ids trace-time upload-flags= B|use-ascii v|verbose vlan-priority=
  w|write-out= xattr
`;
