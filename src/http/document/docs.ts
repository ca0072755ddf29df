import express, { type Response, type Router } from 'express';
import { lazy } from '../../lib/lazy.js';
import { packageFile } from '../../lib/package-file.js';
import type { World } from '../../simulation/world.js';
import { servedDocument } from './profiles.js';

/** Swagger UI as copied by the build. */
/** Created on first use, which finds the folder of the package. */
const serveSwagger = lazy(() =>
  express.static(packageFile('dist/swagger-ui'), { index: false, redirect: false, fallthrough: true, setHeaders }),
);

function setHeaders(response: Response): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

const page = (title: string, start: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · billing-sim</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/assets/docs.css">
</head>
<body>
<nav class="ways" aria-label="Pages"><a href="/dashboard">Dashboard</a> <a href="/docs">Billing Service</a> <a href="/docs/control">Control API</a></nav>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/assets/docs.js"></script>
<script src="/docs/${start}"></script>
</body>
</html>
`;

const start = (url: string): string => `SwaggerUIBundle({
  url: '${url}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  plugins: [window.billingSimDocs],
});
`;

/** Swagger UI sets styles on elements, so inline styles are allowed. Everything else must come from this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Serves `/openapi.json`, and Swagger UI for the service at `/docs` and for the control API at `/docs/control`. */
export function createDocs(world: World): Router {
  const docs = express.Router({ caseSensitive: true });
  const send = (response: Response, type: string, text: string): void => {
    response.writeHead(200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(text),
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
    response.end(text);
  };
  docs.get('/openapi.json', (_request, response) => {
    send(response, 'application/json', JSON.stringify(servedDocument(world.fallback().profile)));
  });
  const document = (path: string, title: string, script: string, url: string): void => {
    docs.get(path, (_request, response) => send(response, 'text/html', page(title, script)));
    docs.get(`/docs/${script}`, (_request, response) => send(response, 'text/javascript', start(url)));
  };
  document('/docs', 'Billing Service', 'start.js', '/openapi.json');
  document('/docs/control', 'Control', 'start-control.js', '/_sim/openapi.json');
  docs.use('/docs', (request, response, next) => serveSwagger()(request, response, next));
  return docs;
}
