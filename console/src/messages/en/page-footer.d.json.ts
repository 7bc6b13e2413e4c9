// Written by `npm run messages -w console`.
declare const messages: {
  securedBy: () => string
  help: () => string
  privacy: () => string
  terms: () => string
}
export default messages
