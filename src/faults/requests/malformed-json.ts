import { defineRequestEffect } from './reply.js';

interface Options {
  readonly how: keyof typeof defects;
}

/** Mistakes that servers make. Each makes the JSON of a response body of the service invalid. */
const defects = {
  cut: (body: string) => body.slice(0, -1),
  'trailing-comma': (body: string) => body.replace(/[}\]]\s*$/, (end) => `,${end}`),
  'single-quotes': (body: string) => body.replaceAll('"', "'"),
  warning: (body: string) =>
    `<br />\n<b>Warning</b>: Undefined array key 0 in <b>index.php</b> on line 1<br />\n${body}`,
};

export const malformedJson = defineRequestEffect<Options>(
  {
    name: 'malformed-json',
    summary: 'responds with a body that is declared as JSON but is not valid',
    example: 'malformed-json=trailing-comma',
    valueOption: 'how',
    options: {
      how: {
        enum: Object.keys(defects),
        default: 'cut',
        description:
          '`cut` omits the last character, `trailing-comma` adds a comma, `single-quotes` replaces the quotes, `warning` puts a PHP warning in front',
      },
    },
    needs: 'response-sent',
  },
  (reply, { how }) => ({ ...reply, body: defects[how](reply.body) }),
);
