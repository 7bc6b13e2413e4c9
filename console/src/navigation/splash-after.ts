/** Milliseconds until a route that waits for the session shows that it does. For `pendingMs`. */
export const SPLASH_AFTER_MS = 400
