import express, { type Response, type Router } from 'express';
import type { World } from '../../simulation/world.js';
import { servePackageFolder } from '../package-folder.js';
import { documentAtOrigin } from './at-origin.js';
import { servedDocument } from './profiles.js';

/** A page with Swagger UI. */
interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** Name of the script that starts Swagger UI. */
  readonly script: string;
  /** URL of the shown document. */
  readonly documentUrl: string;
}

const docsPages: readonly DocsPage[] = [
  { path: '/docs', title: 'Billing Service', script: 'start.js', documentUrl: '/openapi.json' },
  { path: '/docs/control', title: 'Control API', script: 'start-control.js', documentUrl: '/_sim/openapi.json' },
];

const pageHtml = ({ path: currentPath, title, script, documentUrl }: DocsPage): string => `<!doctype html>
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
<nav class="document-links" aria-label="Pages"><a href="/dashboard">Dashboard</a>${docsPages.map(({ path, title }) => ` <a href="${path}"${path === currentPath ? ' aria-current="page"' : ''}>${title}</a>`).join('')}</nav>
<div id="swagger-ui"></div>
<noscript><p class="no-script">This page needs JavaScript. Without it, read the <a href="${documentUrl}">OpenAPI document</a>.</p></noscript>
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
  for (const page of docsPages) {
    const { path, script, documentUrl } = page;
    docs.get(path, (_request, response) => send(response, 'text/html', pageHtml(page)));
    docs.get(`/docs/${script}`, (_request, response) => send(response, 'text/javascript', startScript(documentUrl)));
  }
  // Swagger UI as copied by the build.
  docs.use('/docs', servePackageFolder('dist/swagger-ui'));
  return docs;
}
