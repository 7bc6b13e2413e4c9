// The engine asks for Node 22 when it is loaded, and says so on the console at each start. It runs on 20.19 as well: every test of
// this room does there. What it uses of later versions is made up for here.
// biome-ignore lint/suspicious/noConsole: what the library writes is what is held back
const warn = console.warn
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('Unsupported runtime')) warn(...said)
}
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null)

const library = await import('oidc-provider')
console.warn = warn

export const { errors, interactionPolicy, Provider } = library

/** How the engine's own grants judge a DPoP proof; a grant that is registered with it does the same. */
export const grantHelpers = await import('oidc-provider/lib/helpers/grants.js')
