/** The state of an engine, which the engine does not type. */
declare module 'oidc-provider/lib/helpers/weak_cache.js' {
  import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

  type ResponseMode = (ctx: KoaContextWithOIDC, redirectUri: string, fields: Record<string, string>) => void
  export function get(provider: Provider): { responseModes: Map<string, ResponseMode> }
}
