/** The nonce of the content security policy of this document. Browsers hide it from selectors and attributes, not from scripts. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
