import express, { type Response, type Router } from 'express';
import type { World } from '../../simulation/world.js';
import { servePackageFolder } from '../package-folder.js';
import { documentAtOrigin } from './at-origin.js';
import { servedDocument } from './profiles.js';

const pageHtml = (title: string, script: string): string => `<!doctype html>
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
<nav class="document-links" aria-label="Pages"><a href="/dashboard">Dashboard</a> <a href="/docs">Billing Service</a> <a href="/docs/control">Control API</a></nav>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/assets/docs.js"></script>
<script src="/docs/${script}"></script>
</body>
</html>
`;

const startScript = (url: string): string => `SwaggerUIBundle({
  url: '${url}',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  plugins: [window.billingSimDocs],
});
`;

/** Swagger UI sets styles on elements and has images in `data:` URLs. Everything else must come from this server. */
const contentSecurityPolicy = [
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
export function createDocs(world: World, publicUrl: URL | undefined): Router {
  const docs = express.Router({ caseSensitive: true });
  const send = (response: Response, type: string, text: string): void => {
    response.writeHead(200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Length': Buffer.byteLength(text),
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
    response.end(text);
  };
  docs.get('/openapi.json', (request, response) => {
    const document = documentAtOrigin(servedDocument(world.accounts.default().profile), request, publicUrl);
    send(response, 'application/json', JSON.stringify(document));
  });
  const serveSwaggerUi = (path: string, title: string, script: string, url: string): void => {
    docs.get(path, (_request, response) => send(response, 'text/html', pageHtml(title, script)));
    docs.get(`/docs/${script}`, (_request, response) => send(response, 'text/javascript', startScript(url)));
  };
  serveSwaggerUi('/docs', 'Billing Service', 'start.js', '/openapi.json');
  serveSwaggerUi('/docs/control', 'Control API', 'start-control.js', '/_sim/openapi.json');
  // Swagger UI as copied by the build.
  docs.use('/docs', servePackageFolder('dist/swagger-ui'));
  return docs;
}
