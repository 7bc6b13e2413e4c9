// Written by `npm run messages -w console`.
declare const messages: {
  email: () => string
  emailMissing: () => string
  emailWrong: () => string
  password: () => string
  newPassword: () => string
  currentPassword: () => string
  passwordMissing: () => string
  passwordRejected: (values: { failed: string | number }) => string
  showPassword: () => string
  show: () => string
  hide: () => string
  capsLock: () => string
  retryIn: (values: { seconds: number }) => string
  retryClock: (values: { time: string | number }) => string
  retryMinutes: (values: { minutes: number }) => string
  tooLong: (values: { count: number }) => string
  valueRejected: (values: { reason: string | number }) => string
  retryHours: (values: { hours: number }) => string
  retryNow: () => string
  ruleLength: (values: { count: number }) => string
  ruleUppercase: () => string
  ruleLowercase: () => string
  ruleNumber: () => string
  ruleSymbol: () => string
  ruleHistory: (values: { count: number }) => string
  ruleMet: () => string
  ruleBroken: (values: { rule: string | number }) => string
  emailExample: () => string
  ruleProgress: (values: { length: number; count: number }) => string
  ruleCheckedLater: () => string
}
export default messages
