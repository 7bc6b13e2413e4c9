// Written by `npm run messages -w console`.
declare const messages: {
  continue: () => string
  change: () => string
  changeLabel: () => string
  emailWrong: () => string
  withPassword: () => string
  provider: (values: { domain: string | number; provider: string | number }) => string
}
export default messages
