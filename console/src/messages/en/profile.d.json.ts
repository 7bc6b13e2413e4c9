// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  email: () => string
  verified: () => string
  unverified: () => string
  sendVerification: () => string
  verificationSent: () => string
  details: () => string
  detailsAbout: () => string
  field: (values: { field: string }) => string
  localeWrong: () => string
  changeEmail: () => string
  changeEmailAbout: () => string
  newEmail: () => string
  sendLink: () => string
  linkSent: (values: { email: string | number }) => string
  appearance: () => string
  appearanceAbout: () => string
  scheme: (values: { scheme: string }) => string
  verificationExpires: () => string
  noLanguage: () => string
}
export default messages
