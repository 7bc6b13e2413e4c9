// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  lead: () => string
  verifyTitle: () => string
  verifyAbout: () => string
  verify: () => string
  signedIn: () => string
  thisDevice: () => string
  end: () => string
  endOf: (values: { device: string | number }) => string
  endOthers: (values: { count: number }) => string
  endOthersTitle: () => string
  endOthersText: (values: { count: number }) => string
  ended: (values: { count: number }) => string
  onlyThis: () => string
  lastSeen: () => string
  since: () => string
  unknownAddress: () => string
}
export default messages
