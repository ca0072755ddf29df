const parameter = /\{(\w+)\}/g;

/** Returns a pattern for the paths of a template such as `/deposits/{id}`, with a named group for each parameter. */
export function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(parameter, '(?<$1>[^/]+)')}$`);
}

/** Returns the path of a template whose parameters are replaced by encoded values. A missing value is left empty. */
export function fillPath(template: string, findValue: (name: string) => string | undefined): string {
  return template.replace(parameter, (_all, name: string) => encodeURIComponent(findValue(name) ?? ''));
}
