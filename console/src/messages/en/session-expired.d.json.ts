// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  text: () => string
  submit: () => string
  viaProvider: () => string
  leave: () => string
}
export default messages
