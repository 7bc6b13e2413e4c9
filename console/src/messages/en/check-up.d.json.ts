// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  about: () => string
  emailVerified: () => string
  emailVerifiedText: () => string
  emailUnverified: () => string
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
  devices: (values: { count: number }) => string
  devicesText: () => string
  review: () => string
  setPassword: () => string
  changePassword: () => string
}
export default messages
