/** The response modes of the authorization endpoint (OAuth 2.0 Multiple Response Type Encoding Practices 2.1, OAuth 2.0 Form Post Response Mode). */
export const RESPONSE_MODES = ['query', 'form_post'] as const
