// Written by `npm run messages -w console`.
declare const messages: {
  passkeyHeading: () => string
  passkeyLead: () => string
  passkeySubmit: () => string
  totpHeading: () => string
  totpLead: () => string
  totpLabel: () => string
  backupHeading: () => string
  backupLead: () => string
  backupLabel: () => string
  instead: (values: { method: string }) => string
  submit: () => string
  codeMissing: () => string
  cancelled: () => string
  timeLeft: (values: { time: string | number }) => string
  minuteLeft: () => string
  lost: () => string
  lostBackup: () => string
  lostDevice: () => string
  otherTeamTitle: () => string
  otherTeamLead: () => string
  otherTeamNext: () => string
  ownTeam: () => string
  cleanedTitle: () => string
  ended: (values: { reason: string }) => string
  withPasskey: () => string
}
export default messages
