/** Creates a pattern for the paths of a template such as `/invoices/{invoice}`. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
