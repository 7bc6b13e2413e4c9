/**
 * Replaces the types of preact, which Auth.js renders pages with: they would declare browser globals in every file of the service. Our
 * code does not use them.
 */
export {}
