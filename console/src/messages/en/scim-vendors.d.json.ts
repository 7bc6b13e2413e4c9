// Written by `npm run messages -w console`.
declare const messages: {
  name: (values: { vendor: string }) => string
  description: (values: { vendor: string }) => string
  tokenName: (values: { vendor: string }) => string
  baseUrl: (values: { vendor: string }) => string
  token: (values: { vendor: string }) => string
  fields: (values: { vendor: string }) => string
  steps: (values: { vendor: string }) => string
  note: (values: { vendor: string }) => string
}
export default messages
