/**
 * An example curl command that creates a record.
 * @param baseUrl the URL of the service @param path below the base URL
 */
export function exampleCurl(baseUrl: string, path: string, body: object): string {
  return [
    `curl ${baseUrl}${path}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}

/** An example curl command that creates a deposit. @param currency the default currency of the account */
export function exampleDepositCurl(baseUrl: string, currency: string): string {
  return exampleCurl(baseUrl, '/deposits', { booking_reference: 'BOOKING-1', amount: 300, currency });
}
