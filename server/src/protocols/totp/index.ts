/** Time-based one-time passwords (RFC 6238): creates secrets and their URLs, and verifies codes. Pure: the time is an argument. */
export { firstRightStep, matchingStep, newTotpSecret, totpAddress } from './totp.js'
