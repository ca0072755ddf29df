/** What a client has to send to make a record, as a command line. @param baseUrl of the service */
export function creationCall(baseUrl: string, path: string, body: object): string {
  return [
    `curl ${baseUrl}${path}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}
