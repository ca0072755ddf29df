import { expect, test } from 'vitest';
import { certificateHint } from '../../src/lib/certificate-hint.js';

const untrusted = 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to a PEM file with its CA';
const invalid = 'its certificate has expired, or is for another host';

test.each([
  ['self-signed certificate in certificate chain', untrusted],
  ['unable to get local issuer certificate', untrusted],
  ['unable to verify the first certificate', untrusted],
  ['certificate has expired', invalid],
  [
    "Hostname/IP does not match certificate's altnames: Host: a.example. is not in the cert's altnames: DNS:b.example",
    invalid,
  ],
  ['connect ECONNREFUSED 127.0.0.1:9', undefined],
])('the network error %j has the hint %j', (message, hint) => {
  expect(certificateHint(message)).toBe(hint);
});
