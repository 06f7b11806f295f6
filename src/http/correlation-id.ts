import { randomUUID } from 'node:crypto';
import type { HttpRequest } from 'uWebSockets.js';

const lengthMin = 8;
const lengthMax = 256;

/** A valid X-Correlation-ID of the request, or a new one. An invalid value counts as absent (decisions.md #6). */
export function correlationIdOf(req: HttpRequest): string {
  const given = req.getHeader('x-correlation-id');
  return isCorrelationId(given) ? given : randomUUID();
}

/** Letters, digits, underscores and hyphens of ASCII, 8 to 256 (specification 1.7). */
function isCorrelationId(text: string): boolean {
  if (text.length < lengthMin || text.length > lengthMax) return false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isLetter = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
    const isDigit = unit >= 48 && unit <= 57;
    if (!isLetter && !isDigit && unit !== 95 && unit !== 45) return false;
  }
  return true;
}
