/** Time-based one-time passwords (RFC 6238): creates secrets and their URLs, and verifies codes. Pure: the time is an argument. */
export { firstAcceptedStep, matchingStep, newTotpSecret, totpUrl } from './totp.js'
