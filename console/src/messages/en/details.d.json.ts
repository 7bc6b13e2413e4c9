// Written by `npm run messages -w console`.
declare const messages: {
  details: () => string
  copy: () => string
  copied: () => string
}
export default messages
