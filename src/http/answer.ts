import type { ServerResponse } from 'node:http';

/** What a request is answered with. Handlers return it; `writeAnswer` alone writes it. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

/** The success envelope (specification, Common response envelope) around a payload that is JSON text already. */
export function success(status: number, data: string): Answer {
  return { status, body: `{"success":true,"data":${data}}`, headers: {} };
}

export function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  headers: Readonly<Record<string, string | number>>,
): void {
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(answer.body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...answer.headers,
  });
  response.end(answer.body);
}
