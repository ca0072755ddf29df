import type { ServerResponse } from 'node:http';

/** What a request is answered with. Handlers return it; `writeAnswer` alone writes it. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers?: Readonly<Headers>;
}

export type Headers = Record<string, string | number>;

/** The success envelope (specification, Common response envelope) around a payload that is JSON text already. */
export function success(status: number, data: string): { status: number; body: string } {
  return { status, body: `{"success":true,"data":${data}}` };
}

/** Header values are ASCII; hints may quote what a client sent. */
export function headerText(hint: string): string {
  return hint.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

export function writeAnswer(response: ServerResponse, answer: Answer, headers: Headers): void {
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const size = Buffer.byteLength(answer.body);
  headers['Content-Length'] = size;
  headers['Cache-Control'] = 'no-store';
  headers['X-Content-Type-Options'] = 'nosniff';
  if (answer.headers) Object.assign(headers, answer.headers);
  response.writeHead(answer.status, headers);
  // Text that is all ASCII is the same in Latin-1, which Node copies where it would have to encode UTF-8.
  response.end(answer.body, size === answer.body.length ? 'latin1' : 'utf8');
}
