const read = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** The nonce of the response's content security policy. Browsers hide it from selectors and attributes, not from scripts. */
export let cspNonce = (typeof document !== 'undefined' && read()) || ''

/** Sets the nonce for a render on the server. */
export function setCspNonce(nonce: string): void {
  cspNonce = nonce
}
