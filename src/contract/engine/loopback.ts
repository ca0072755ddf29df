/** Returns whether the host of a URL is this machine: `localhost`, a subdomain of it, 127.x.x.x or ::1. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}
