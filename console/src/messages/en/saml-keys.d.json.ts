// Written by `npm run messages -w console`.
declare const messages: {
  applicationTitle: () => string
  applicationAbout: () => string
  applicationHint: () => string
  applicationRisk: () => string
  teamTitle: () => string
  teamAbout: () => string
  teamHint: () => string
  teamRisk: () => string
  state: (values: { state: string }) => string
  certificate: () => string
  validUntil: (values: { day: string | number }) => string
  endsAt: () => string
  expiresSoon: () => string
  expired: () => string
  showCertificate: () => string
  ours: () => string
  oursAbout: () => string
  save: () => string
  prepare: () => string
  prepared: () => string
  activate: () => string
  activateTitle: () => string
  activated: () => string
  remove: () => string
  removeLabel: (values: { fingerprint: string | number }) => string
  removeTitle: () => string
  removeText: (values: { state: string }) => string
  removed: () => string
}
export default messages
