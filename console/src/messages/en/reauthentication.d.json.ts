// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  text: () => string
  orPassword: () => string
  passkeyText: () => string
  codeText: () => string
  twoStepPasskey: () => string
  twoStepCode: () => string
  otherMethod: () => string
  submit: () => string
  linkText: () => string
  link: () => string
  linkSent: () => string
}
export default messages
