import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { readPackageFile } from '../lib/read-package-file.js';

/** Matches the names of all files that the build creates, but no path that leads out of the folder. */
const fileName = /^\/\w[\w.-]{0,99}$/;

/** Serves the files of a folder of this package, but not of its subfolders. */
export function servePackageFolder(folder: string): RequestHandler {
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const content = isRead && fileName.test(request.path) ? readPackageFile(`${folder}${request.path}`) : undefined;
    if (content === undefined) {
      next();
      return;
    }
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Browsers cache the file, but ask each time whether it has changed; if not, they get 304.
    response.setHeader('Cache-Control', 'public, max-age=0');
    response.type(extname(request.path) || 'txt');
    response.send(content);
  };
}
