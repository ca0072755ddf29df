/** Matches the paths that a path with parameters, such as `/invoices/{invoice}`, stands for. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}
