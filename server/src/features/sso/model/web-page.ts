const START = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype\s+html|html)\b/i
/** Comments before the document are longer only in a hostile response. */
const MAX_START_LENGTH = 2_000

/**
 * Returns whether a document is a web page, such as the sign-in page of the provider in place of a document for programs. The media type is
 * no evidence: some providers serve metadata as text/html.
 */
export const isWebPage = (document: string): boolean => START.test(document.slice(0, MAX_START_LENGTH))
