/**
 * Limits that the native server reads from the environment when it is loaded, so this module is imported before it.
 * A worker thread has a copy of the environment, where setting them has no effect.
 */

/** Twice what the platform allows (headBytesMax), so that it answers a head that is too long itself, and in JSON. */
const nativeHeadBytesMax = 32 * 1024;

process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(nativeHeadBytesMax);
