// Written by `npm run messages -w console`.
declare const messages: {
  title: () => string
  lead: () => string
  verifyTitle: () => string
  verifyAbout: () => string
  verify: () => string
  signedIn: () => string
  thisDevice: () => string
  end: (values: { count: number }) => string
  endSince: (values: { device: string | number; time: string | number }) => string
  endOf: (values: { count: number; device: string | number }) => string
  endOthers: () => string
  endOthersTitle: () => string
  endOthersText: (values: { count: number }) => string
  ended: (values: { count: number }) => string
  onlyThis: () => string
  lastSeen: () => string
  since: () => string
  unknownAddress: () => string
  thisSession: () => string
  remembered: () => string
  count: (values: { count: number }) => string
  endGroupTitle: (values: { device: string | number }) => string
  endText: (values: { count: number }) => string
}
export default messages
