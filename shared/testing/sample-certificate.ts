/** For tests: the shortest PEM that starts like a certificate. It certifies nothing. */
export const sampleCertificate = '-----BEGIN CERTIFICATE-----\nMAcwAwIBADAA\n-----END CERTIFICATE-----\n';
