/** Helpers for custom grant types that the engine documents but does not type. */
declare module 'oidc-provider/lib/helpers/grants.js' {
  import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

  interface DpopProof {
    /** RFC 7638. */
    thumbprint: string
    jti: string
    iat: number
  }
  export function validateDpop(provider: Provider, ctx: KoaContextWithOIDC): Promise<DpopProof | undefined>
  export function checkDpopRequired(provider: Provider, ctx: KoaContextWithOIDC, proof: DpopProof | undefined): void
  export function checkDpopReplay(
    provider: Provider,
    ctx: KoaContextWithOIDC,
    proof: DpopProof | undefined,
    clientId: string,
  ): Promise<void>
}
