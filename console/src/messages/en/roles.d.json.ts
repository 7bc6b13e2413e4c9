// Written by `npm run messages -w console`.
declare const messages: {
  name: (values: { role: string }) => string
}
export default messages
