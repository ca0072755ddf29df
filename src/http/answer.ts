import type { ServerResponse } from 'node:http';

/** What a request is answered with. Handlers return it; `writeAnswer` alone writes it. */
export interface Answer {
  readonly status: number;
  /** JSON, as text or in UTF-8. */
  readonly body: string | Buffer;
  readonly headers?: Readonly<Headers>;
}

export type Headers = Record<string, string | number>;

/** The success envelope (specification, Common response envelope) around a payload that is JSON text already. */
export function success(status: number, data: string): { status: number; body: string } {
  return { status, body: `{"success":true,"data":${data}}` };
}

export function writeAnswer(response: ServerResponse, answer: Answer, headers: Headers): void {
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(answer.body);
  headers['Cache-Control'] = 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  if (answer.headers) Object.assign(headers, answer.headers);
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}
