const parameter = /\{(\w+)\}/g;

/** Returns a pattern for the paths of a template such as `/deposits/{id}`, with a named group for each parameter. */
export function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(parameter, '(?<$1>[^/]+)')}$`);
}

/** Orders templates: those with fewer parameters first, because `/invoices/stats` also matches `/invoices/{invoice}`. */
export function compareTemplates(a: string, b: string): number {
  return a.split('{').length - b.split('{').length;
}

/** Replaces the parameters of a template by encoded values. A parameter without a value becomes empty. */
export function fillPath(template: string, findValue: (name: string) => string | undefined): string {
  return template.replace(parameter, (_all, name: string) => encodeURIComponent(findValue(name) ?? ''));
}

/**
 * Removes the slashes at the end of a path. Does not use a regular expression, which would take quadratic time for
 * thousands of slashes in the middle.
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Decodes a part of a path. A part with an invalid encoding is returned unchanged. */
export function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
