/**
 * In the place of the types of preact, with which Auth.js draws pages: they would declare a browser's globals in every file of the
 * service. Nothing of ours uses them.
 */
export {}
