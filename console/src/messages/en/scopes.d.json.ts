// Written by `npm run messages -w console`.
declare const messages: {
  title: (values: { scope: string }) => string
}
export default messages
