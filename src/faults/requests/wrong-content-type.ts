import { contentType } from '../options.js';
import { defineRequestEffect } from './reply.js';

interface Options {
  readonly type: string;
}

export const wrongContentType = defineRequestEffect<Options>(
  {
    name: 'wrong-content-type',
    summary: 'responds with a wrong Content-Type',
    example: 'wrong-content-type=text/plain',
    valueOption: 'type',
    options: { type: { ...contentType, default: 'text/html', description: 'the content type' } },
    needs: 'response-sent',
  },
  (reply, { type }) => ({ ...reply, contentType: type }),
);
