// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  about: () => string
  name: (values: { action: string }) => string
  failed: (values: { action: string; name: string | number }) => string
  method: (values: { method: string }) => string
  reason: (values: { reason: string }) => string
  times: (values: { count: string | number; time: string | number }) => string
  by: (values: { actor: string }) => string
  unknownDevice: () => string
  result: (values: { result: string }) => string
  empty: () => string
  suspicious: () => string
}
export default messages
