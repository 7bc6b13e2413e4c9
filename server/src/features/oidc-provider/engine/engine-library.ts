// The engine requires Node 22 and logs a warning at each start. It also runs on 20.19, as the tests of this module show, with the polyfill
// below.
// biome-ignore lint/suspicious/noConsole: suppresses the warning of the library
const warn = console.warn
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('Unsupported runtime')) warn(...said)
}
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null)

const library = await import('oidc-provider')
console.warn = warn

export const { errors, interactionPolicy, Provider } = library

/** Returns the state of an engine, which has no public API to replace a built-in response mode. */
export const { get: engineState } = await import('oidc-provider/lib/helpers/weak_cache.js')

/** The engine's own DPoP verification, for grant types that are registered with it. */
export const grantHelpers = await import('oidc-provider/lib/helpers/grants.js')
