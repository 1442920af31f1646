import type { X509Certificate } from 'node:crypto';
import type { Listener } from '../../../shared/target/target.ts';
import { commonNameIn } from '../probe/read-chain.ts';

/** Why a certificate was not accepted, and what would help. `code` is Node's authorization error. */
export function explainCertificate(
  code: string,
  certificate: X509Certificate | undefined,
  listener: Listener,
): string {
  const { trust } = listener;
  if (trust !== undefined) {
    return `The certificate is not the one that you trusted: its SHA-256 is ${certificate?.fingerprint256 ?? 'unknown'}.`;
  }
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return listener.ca === null
        ? `The certificate is self-signed. ${offerOf('Give the certificate itself as the CA', certificate)}`
        : 'The certificate is self-signed, and it is not the CA that you gave.';
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return listener.ca === null
        ? `The certificate is signed by “${commonNameIn(certificate?.issuer)}”, an unknown authority. ${offerOf('Give the certificate of that authority', certificate)}`
        : `The certificate is signed by “${commonNameIn(certificate?.issuer)}”, which is not the CA that you gave.`;
    case 'CERT_SIGNATURE_FAILURE':
      return 'The certificate’s signature does not match the CA that you gave. Was the CA recreated?';
    case 'CERT_HAS_EXPIRED':
      return `The certificate expired on ${dayOf(certificate?.validTo)}. Renew it.`;
    case 'CERT_NOT_YET_VALID':
      return `The certificate is not valid before ${dayOf(certificate?.validFrom)}. Check the clocks.`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate is for ${namesOf(certificate)}, not for ${listener.hostname}. Use one of its names in the HTTPS address, or add ${listener.hostname} to the certificate.`;
    case 'CERT_REVOKED':
      return 'The certificate has been revoked. Replace it.';
    case 'INVALID_PURPOSE':
      return 'The certificate is not a server certificate. Add the extended key usage serverAuth.';
    case 'INVALID_CA':
      return 'The certificate’s issuer is not a CA: it lacks CA:TRUE. Have a CA sign the certificate.';
    default:
      return `The certificate was not accepted (${code}).`;
  }
}

/** `Trusted; for shop.test, until 2027-01-01.` */
export function describeCertificate(
  certificate: X509Certificate | undefined,
  verified: boolean,
  { trust }: Listener,
): string {
  const trusted = trust === undefined ? 'Trusted' : 'Trusted for this run by its fingerprint';
  return `${verified ? trusted : 'Not checked, as planned'}; for ${namesOf(certificate)}, until ${dayOf(certificate?.validTo)}.`;
}

/** What a user can do who knows the server: the command line prints nothing else. */
function offerOf(remedy: string, certificate: X509Certificate | undefined): string {
  return `${remedy} (--ca), or trust it for this run (--trust ${certificate?.fingerprint256 ?? 'SHA-256'}).`;
}

function namesOf(certificate: X509Certificate | undefined): string {
  const names = certificate?.subjectAltName?.split(', ').map((name) => name.slice(name.indexOf(':') + 1));
  return names?.join(', ') ?? 'no name at all';
}

function dayOf(date: string | undefined): string {
  return date === undefined ? 'an unknown date' : new Date(date).toISOString().slice(0, 10);
}
