// Written by `npm run messages -w console`.
declare const messages: {
  once: () => string
  masked: (values: { label: string | number }) => string
  show: () => string
  hide: () => string
  download: () => string
  stored: () => string
  codesOnce: () => string
  downloadCodes: () => string
  print: () => string
  codesStored: () => string
  leaveCodes: () => string
  leave: () => string
}
export default messages
