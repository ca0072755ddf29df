/** Explains a network error about the certificate of a server. @returns undefined for other errors */
export function certificateHint(message: string): string | undefined {
  if (/self-signed certificate|local issuer|verify the first/.test(message)) {
    return 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to a PEM file with its CA';
  }
  return /certificate has expired|altnames/.test(message)
    ? 'its certificate has expired, or is for another host'
    : undefined;
}
