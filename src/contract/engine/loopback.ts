/** Whether a URL leads to this machine by its host's name. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}
