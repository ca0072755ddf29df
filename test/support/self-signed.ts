import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pemPath = (name: string): string => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));

/** Path of a self-signed certificate for localhost and 127.0.0.1. */
export const selfSignedCertificatePath = pemPath('certificate');

/** Options of an HTTPS server that uses this certificate. */
export const selfSigned = { key: readFileSync(pemPath('key')), cert: readFileSync(selfSignedCertificatePath) } as const;
