/** The nonce of this answer's content security policy. Browsers hide it from selectors and attributes, not from scripts. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
