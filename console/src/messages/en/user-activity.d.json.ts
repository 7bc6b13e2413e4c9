// Written by `npm run messages -w console`.
declare const messages: {
  name: (values: { action: string }) => string
  failed: (values: { action: string; name: string | number }) => string
  result: (values: { result: string }) => string
}
export default messages
