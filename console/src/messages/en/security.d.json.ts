// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  password: () => string
  changeAbout: () => string
  setAbout: () => string
  change: () => string
  set: () => string
  changed: () => string
  passwordSet: () => string
  lastSignIn: () => string
  otherMethod: () => string
}
export default messages
