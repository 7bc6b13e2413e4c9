// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  about: () => string
  emailVerified: () => string
  emailVerifiedText: () => string
  emailUnverified: () => string
  verify: () => string
  emailUnverifiedText: () => string
  passwordSet: () => string
  passwordSetText: () => string
  passwordMissing: () => string
  passwordMissingText: () => string
  twoStepOn: () => string
  twoStepOnText: () => string
  twoStepOff: () => string
  twoStepOffText: () => string
  twoStepDue: (values: { days: number }) => string
  setUp: () => string
  codes: (values: { left: number }) => string
  codesText: () => string
  codesFewText: () => string
  newCodes: () => string
  review: () => string
  setPassword: () => string
  changePassword: () => string
  sessions: (values: { count: number }) => string
  sessionsText: () => string
}
export default messages
