/** Milliseconds until a route that waits for the session shows the splash screen. For `pendingMs`. */
export const SPLASH_AFTER_MS = 400
