// Written by `npm run messages -w console`.
declare const messages: {
  crashTitle: () => string
  crashLead: () => string
  reload: () => string
  wrongHostTitle: () => string
  wrongHostText: (values: { actual: string | number; expected: string | number }) => string
  wrongHostOpen: (values: { expected: string | number }) => string
  wrongHostAdmin: (values: { actual: string | number }) => string
  notFoundTitle: () => string
  notFoundLead: () => string
}
export default messages
