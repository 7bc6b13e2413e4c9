// Written by `npm run messages -w console`.
declare const messages: {
  continue: () => string
  change: () => string
  changeLabel: () => string
  withPassword: () => string
  provider: (values: { provider: string | number }) => string
  withPasskey: () => string
  cancelled: () => string
  ended: (values: { reason: string }) => string
}
export default messages
