// Written by `npm run messages -w console`.
declare const messages: {
  position: (values: { number: number; total: number }) => string
}
export default messages
