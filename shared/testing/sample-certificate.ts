/** For tests: the least that begins as a certificate does, in PEM. It certifies nothing. */
export const sampleCertificate = '-----BEGIN CERTIFICATE-----\nMAcwAwIBADAA\n-----END CERTIFICATE-----\n';
