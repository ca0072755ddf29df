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
