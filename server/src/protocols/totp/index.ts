/** Time-based one-time passwords (RFC 6238): making a secret, writing its address, judging a code. Pure: the time is an argument. */
export { firstRightStep, matchingStep, newTotpSecret, totpAddress } from './totp.js'
