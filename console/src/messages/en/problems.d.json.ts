// Written by `npm run messages -w console`.
declare const messages: {
  explanation: (values: { code: string }) => string
}
export default messages
