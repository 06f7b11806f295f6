/** Whether a header If-None-Match names the tag: any of those that the client has, compared without their weakness (RFC 9110, 13.1.2). */
export function isKnown(header: string, etag: string): boolean {
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag);
}
